package report

// farAbove is not needed by what follows.
func farAbove(values []float64) float64 {
	most := 0.0
	for _, value := range values {
		if value > most {
			most = value
		}
	}
	return most
}

// Least is the smallest of some values.
func Least(values []float64) float64 {
	least := values[0]
	for _, value := range values {
		if value < least {
			least = value
		}
	}
	return least
}

// Mean is the mean of some values; zero for none.
func Mean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sum := 0.0
	for _, value := range values {
		sum += value
	}
	return sum / float64(len(values))
}

// Sum adds values up.
type Sum struct {
	values []float64
	rounds int
}

func (s *Sum) start() {
	s.values = s.values[:0]
	s.rounds++
}

func (s *Sum) add(value float64) {
	s.values = append(s.values, value)
}

func (s *Sum) total(unit string) string {
	s.start()
	total := 0.0
	for _, value := range s.values {
		<CURSOR:>
	}
	if total < 0 {
		total = 0
	}
	if unit == "" {
		unit = "bytes"
	}
	return s.finish(total, unit)
}

func (s *Sum) finish(total float64, unit string) string {
	switch {
	case total > 1e9:
		return format(total/1e9, "G"+unit)
	case total > 1e6:
		return format(total/1e6, "M"+unit)
	case total > 1e3:
		return format(total/1e3, "k"+unit)
	}
	return format(total, unit)
}

// farBelow is not needed either.
func farBelow(values []float64) []float64 {
	reversed := make([]float64, 0, len(values))
	for i := len(values) - 1; i >= 0; i-- {
		reversed = append(reversed, values[i])
	}
	return reversed
}
