-f rtl/common.f
sim/tops/axi_kit.v
