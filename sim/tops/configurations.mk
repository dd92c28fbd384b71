# SPDX-License-Identifier: Apache-2.0
# Tops that prove the kit itself.
$(call configuration,axi-kit-128,axi_kit,sim/tops/axi_kit.f,DATA_WIDTH=128 ID_WIDTH=4)
$(call configuration,axi-kit-32,axi_kit,sim/tops/axi_kit.f,DATA_WIDTH=32 ID_WIDTH=1)
$(call configuration,axi-kit-512,axi_kit,sim/tops/axi_kit.f,DATA_WIDTH=512 ID_WIDTH=8 ADDRESS_WIDTH=48)

# The main job: one hub and one switch port, sized for every model preset on 2 GPUs and more.
$(call configuration,main-job,main_job,sim/tops/main_job.f,LOCAL_EXPERTS=512 OFFSET_WIDTH=15)
