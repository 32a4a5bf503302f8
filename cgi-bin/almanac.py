#!/usr/bin/python3
"""An island in Python: today's sun and moon over Rangiroa, computed, with the standard library only.

Change LATITUDE, LONGITUDE and HOURS_FROM_UTC to your own place. Good to two or three minutes.
"""
import os
import sys
import time
from math import acos, asin, cos, degrees, pi, radians, sin

PLACE = "Rangiroa"
LATITUDE, LONGITUDE, HOURS_FROM_UTC = -15.12, -147.65, -10
NEW_MOON = 947182440  # 2000-01-06 18:14 UTC
LUNATION = 29.530588853 * 86400


def sun_times(now):
    """Sunrise and sunset as minutes after local midnight, or None where the sun does neither today."""
    day = time.gmtime(now + HOURS_FROM_UTC * 3600).tm_yday
    g = 2 * pi * (day - 1) / 365
    equation_of_time = 229.18 * (0.000075 + 0.001868 * cos(g) - 0.032077 * sin(g)
                                 - 0.014615 * cos(2 * g) - 0.040849 * sin(2 * g))
    declination = asin(0.39779 * sin(radians(278.97 + 360 * day / 365.25 + 1.915 * sin(g))))
    height = sin(radians(-0.833)) - sin(radians(LATITUDE)) * sin(declination)
    cosine = height / (cos(radians(LATITUDE)) * cos(declination))
    if abs(cosine) > 1:
        return None
    noon = 720 - 4 * LONGITUDE - equation_of_time + 60 * HOURS_FROM_UTC
    half = 4 * degrees(acos(cosine))
    return noon - half, noon + half


def clock(minutes):
    return f"{int(minutes) // 60 % 24:02d}:{int(minutes) % 60:02d}"


def moon(phase):
    """The moon as SVG, seen from the southern hemisphere: it waxes from the left."""
    width = 20 * cos(2 * pi * phase)
    limb = 0 if phase < 0.5 else 1                  # which edge is lit: 0 the left one
    shadow = int((phase < 0.5) == (width > 0))      # which way the edge of the shadow bulges
    return ('<svg class="moon" viewBox="-23 -23 46 46" aria-hidden="true"><circle r="20"/>'
            f'<path d="M0-20A20 20 0 0 {limb} 0 20A{abs(width):.1f} 20 0 0 {shadow} 0-20Z"/></svg>')


def main():
    now = time.time()
    phase = (now - NEW_MOON) / LUNATION % 1
    names = ("new", "waxing crescent", "first quarter", "waxing gibbous",
             "full", "waning gibbous", "last quarter", "waning crescent")
    name = names[int(phase * 8 + 0.5) % 8]
    times = sun_times(now)
    sun = (f"The sun rises at <b>{clock(times[0])}</b> and sets at <b>{clock(times[1])}</b>"
           if times else "The sun neither rises nor sets today")
    print("Content-Type: text/html; charset=utf-8\n")
    print(f'<div class="answer almanac">{moon(phase)}<p>{sun} over {PLACE}. The moon is {name}.</p></div>')
    version = ".".join(map(str, sys.version_info[:3]))
    print(f'<p class="log">Python {version} &middot; process {os.getpid()} &middot; '
          f'<time>{time.strftime("%H:%M:%S", time.gmtime(now))} UTC</time></p>')


main()
