# SPDX-License-Identifier: Apache-2.0
# Arithmetic: one lane, with and without the same-entry bypass, and the finaliser.
$(call synth,lane-bf16,moehub_accumulate,rtl/arithmetic.f,BYPASS=1)
$(call synth,lane-bf16-plain,moehub_accumulate,rtl/arithmetic.f,BYPASS=0)
$(call synth,lane-fp32,moehub_accumulate,rtl/arithmetic.f,WITH_FP32=1 BYPASS=1)
$(call synth,lane-fp32-plain,moehub_accumulate,rtl/arithmetic.f,WITH_FP32=1 BYPASS=0)
$(call synth,finalize,moehub_finalize,rtl/arithmetic.f,)
