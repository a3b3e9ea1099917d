"""Fines for globes."""


def globe_fine(globe, weeks):
    globe_sum = overdue_rate(globe) * weeks
    return globe_sum - grace_days(globe)


def globe_condition(globe):
    globe_stand = globe.stand
    globe_axis = globe.axis
    globe_meridian = globe.meridian
    globe_lamp = globe.lamp
    globe_plug = globe.plug
    globe_bulb = globe.bulb
    globe_cover = globe.cover
    globe_ring = globe.ring
    globe_base = globe.base
    globe_label = globe.label
    return globe
