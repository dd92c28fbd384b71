# SPDX-License-Identifier: Apache-2.0
# The reduction arithmetic on its own, for lint and synthesis; `lane` (sim/tops) joins its modules for simulation.
$(call configuration,accumulate-16,moehub_accumulate,rtl/arithmetic.f,)
$(call configuration,accumulate-16-plain,moehub_accumulate,rtl/arithmetic.f,BYPASS=0)
$(call configuration,accumulate-32,moehub_accumulate,rtl/arithmetic.f,WITH_FP32=1)
$(call configuration,finalize,moehub_finalize,rtl/arithmetic.f,)

$(call configuration,lane-16,lane,sim/tops/lane.f,)
$(call configuration,lane-32,lane,sim/tops/lane.f,WITH_FP32=1)
$(call configuration,lane-16-plain,lane,sim/tops/lane.f,BYPASS=0)
$(call configuration,lane-2-bins,lane,sim/tops/lane.f,WITH_FP32=1 BINS=2 MAX_CONTRIBUTORS=5)
$(call configuration,lane-4-bins,lane,sim/tops/lane.f,WITH_FP32=1 BINS=4 MAX_CONTRIBUTORS=65)
$(call configuration,lane-1-contributor,lane,sim/tops/lane.f,MAX_CONTRIBUTORS=1)
$(call configuration,lane-1024-contributors,lane,sim/tops/lane.f,WITH_FP32=1 BINS=4 MAX_CONTRIBUTORS=1024)
