# SPDX-License-Identifier: Apache-2.0
# Tops that prove the kit itself.
$(call configuration,axi-kit-128,axi_kit,sim/tops/axi_kit.f,DATA_WIDTH=128 ID_WIDTH=4)
$(call configuration,axi-kit-32,axi_kit,sim/tops/axi_kit.f,DATA_WIDTH=32 ID_WIDTH=1)
$(call configuration,axi-kit-512,axi_kit,sim/tops/axi_kit.f,DATA_WIDTH=512 ID_WIDTH=8 ADDRESS_WIDTH=48)

# The main job: one hub and one switch port, sized for every model preset on 2 GPUs and more.
$(call configuration,main-job,main_job,sim/tops/main_job.f,LOCAL_EXPERTS=512 OFFSET_WIDTH=15)

# Both ends of a link: as built, odd, the smallest stores that there may be, the widest set of ports, and at a hub.
LINK_TOP = $(call configuration,link$(1),link,sim/tops/link.f,$(2))
$(call LINK_TOP)
$(call LINK_TOP,-odd,$(LINK_ODD) PLACES_STORE=37 PLACES_REQUEST=13 PLACES_RESPONSE=61 TARGET_QUEUE=5)
$(call LINK_TOP,-smallest,$(LINK_SMALL) PLACES_STORE=14 PLACES_REQUEST=5 PLACES_RESPONSE=17 TARGET_QUEUE=4)
$(call LINK_TOP,-large,$(LINK_LARGE) PLACES_STORE=1000 PLACES_REQUEST=300 PLACES_RESPONSE=70)
$(call LINK_TOP,-hub,$(LINK_HUB) PLACES_STORE=128 PLACES_REQUEST=64 PLACES_RESPONSE=64 SHORTEST_STORE=2)
$(call LINK_TOP,-hub-small,$(LINK_HUB_SMALL) PLACES_STORE=15 PLACES_REQUEST=6 PLACES_RESPONSE=18 SHORTEST_STORE=2 TARGET_QUEUE=0)
