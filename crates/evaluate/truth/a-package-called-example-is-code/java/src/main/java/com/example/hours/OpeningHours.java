package com.example.hours;

import java.time.DayOfWeek;
import java.time.LocalTime;
import java.util.EnumMap;
import java.util.Map;

/** The opening hours of each day. */
public class OpeningHours {
    private final Map<DayOfWeek, LocalTime[]> hours = new EnumMap<>(DayOfWeek.class);

    public void set(DayOfWeek day, LocalTime opening, LocalTime closing) {
        hours.put(day, new LocalTime[] {opening, closing});
    }

    public boolean isOpen(DayOfWeek day, LocalTime time) {
        LocalTime[] it = hours.get(day);
        return it != null && !time.isBefore(it[0]) && time.isBefore(it[1]);
    }
}
