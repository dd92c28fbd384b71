-f rtl/hub.f
-f rtl/switch.f
sim/tops/main_job.v
