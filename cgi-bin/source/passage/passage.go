// An island in Go: distance and first course between two atolls, other ones at each visit.
//
// Build:  go build -o cgi-bin/passage cgi-bin/source/passage/passage.go     (or: make islands)
package main

import (
	"fmt"
	"math"
	"math/rand"
	"os"
	"runtime"
	"time"
)

// An atoll, with its position in degrees: north and east are positive.
type atoll struct {
	name                string
	latitude, longitude float64
}

var atolls = []atoll{
	{"Aitutaki", -18.86, -159.79},
	{"Aldabra", -9.42, 46.34},
	{"Bikini", 11.59, 165.39},
	{"Funafuti", -8.52, 179.19},
	{"Kiritimati", 1.87, -157.43},
	{"Kwajalein", 9.19, 167.42},
	{"Malé", 4.18, 73.51},
	{"Midway", 28.21, -177.38},
	{"Palmyra", 5.88, -162.08},
	{"Rangiroa", -15.12, -147.65},
	{"Tarawa", 1.45, 173.03},
	{"West Keeling", -12.15, 96.82},
}

// passage returns the great-circle distance in nautical miles and the first course in degrees.
func passage(from, to atoll) (miles, course float64) {
	const radian = math.Pi / 180
	a, b := from.latitude*radian, to.latitude*radian
	turn := (to.longitude - from.longitude) * radian
	half := math.Pow(math.Sin((b-a)/2), 2) + math.Cos(a)*math.Cos(b)*math.Pow(math.Sin(turn/2), 2)
	miles = 2 * math.Asin(math.Sqrt(half)) / radian * 60
	course = math.Atan2(math.Sin(turn)*math.Cos(b),
		math.Cos(a)*math.Sin(b)-math.Sin(a)*math.Cos(b)*math.Cos(turn)) / radian
	return miles, math.Mod(course+360, 360)
}

func main() {
	now := time.Now()
	pick := rand.New(rand.NewSource(now.UnixNano())).Perm(len(atolls))
	from, to := atolls[pick[0]], atolls[pick[1]]
	miles, course := passage(from, to)

	fmt.Print("Content-Type: text/html; charset=utf-8\n\n")
	fmt.Printf(`<div class="answer passage"><svg viewBox="-22 -22 44 44" aria-hidden="true">`+
		`<circle r="20"/><path d="M0-17 5 8 0 4-5 8Z" transform="rotate(%.0f)"/></svg>`, course)
	fmt.Printf("<p>From %s to %s: <b>%.0f</b> nautical miles. Leave on course <b>%03.0f°</b>.</p></div>\n",
		from.name, to.name, miles, course)
	fmt.Printf("<p class=\"log\">Go %s &middot; process %d &middot; <time>%s UTC</time></p>\n",
		runtime.Version()[2:], os.Getpid(), now.UTC().Format("15:04:05"))
}
