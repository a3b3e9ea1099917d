//! Budgets of time, tokens and money, written as `10m,500kt,2usd`.

use std::fmt;
use std::time::Duration;

use crate::usage::usage;

/// Optional bounds of time, tokens and money.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budget {
    /// Duration of the run.
    pub time: Option<Duration>,
    /// Tokens of prompts and answers.
    pub tokens: Option<u64>,
    /// US dollars.
    pub usd: Option<f64>,
}

impl Budget {
    /// Parses a budget; `name` is the flag or setting, for the error message.
    pub fn parse(name: &str, text: &str) -> anyhow::Result<Self> {
        let mut res = Self::default();
        for part in text.split(',').map(str::trim) {
            res.add(part).ok_or_else(|| {
                usage(format!(
                    "{name} {text}: `{part}` is not a bound; write a time as in 30s, 5m or 1h, tokens as in 500kt or 2Mt, money as in 2.5usd, or several with commas"
                ))
            })?;
        }
        Ok(res)
    }

    fn add(&mut self, part: &str) -> Option<()> {
        let digits = part.find(|it: char| !(it.is_ascii_digit() || it == '.'))?;
        let (number, unit) = part.split_at(digits);
        let whole = || number.parse::<u64>().ok();
        let seconds = |each: u64| Some(Duration::from_secs(whole()?.checked_mul(each)?));
        match unit {
            "s" => self.time = Some(seconds(1)?),
            "m" => self.time = Some(seconds(60)?),
            "h" => self.time = Some(seconds(3600)?),
            "t" => self.tokens = Some(whole()?),
            "kt" => self.tokens = Some(whole()?.checked_mul(1_000)?),
            "Mt" => self.tokens = Some(whole()?.checked_mul(1_000_000)?),
            "usd" => self.usd = Some(number.parse().ok()?),
            _ => return None,
        }
        Some(())
    }

    /// The first bound that the usage exceeds.
    pub fn passed_by(&self, used: &Usage) -> Option<Limit> {
        let time = self.time.filter(|it| used.time >= *it).map(Limit::Time);
        let tokens = self.tokens.filter(|it| used.tokens > *it).map(Limit::Tokens);
        let usd = self.usd.filter(|it| used.usd > *it).map(Limit::Usd);
        time.or(tokens).or(usd)
    }
}

/// Usage time, tokens and money.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Duration of the run.
    pub time: Duration,
    /// Tokens of prompts and answers.
    pub tokens: u64,
    /// Cost in US dollars.
    pub usd: f64,
}

impl Usage {
    /// The sum of two usages.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            time: self.time.saturating_add(other.time),
            tokens: self.tokens.saturating_add(other.tokens),
            usd: self.usd + other.usd,
        }
    }
}

/// One bound of a budget, for messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// Time.
    Time(Duration),
    /// Tokens.
    Tokens(u64),
    /// US dollars.
    Usd(f64),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) => write!(f, "{} s", time.as_secs()),
            Self::Tokens(tokens) => write!(f, "{tokens} tokens"),
            Self::Usd(usd) => write!(f, "{usd} usd"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_has_bounds_with_their_units() {
        let read = |text: &str| Budget::parse("--budget", text).unwrap();
        let seconds = |it: &str| read(it).time.unwrap().as_secs();
        assert_eq!([seconds("30s"), seconds("5m"), seconds("1h")], [30, 300, 3600]);
        let all = read("10m, 500kt,2.5usd");
        let time = Some(Duration::from_mins(10));
        assert_eq!(all, Budget { time, tokens: Some(500_000), usd: Some(2.5) });
        for wrong in [
            "",
            "30",
            "s",
            "-1s",
            "5 m",
            "1.5m",
            "1..5usd",
            "99999999999999999999h",
            "18446744073709551615h",
            "2eur",
        ] {
            let error = Budget::parse("--budget", wrong).unwrap_err().to_string();
            assert!(error.contains("30s, 5m") && error.contains("--budget"), "{wrong}: {error}");
        }
    }

    #[test]
    fn a_bound_may_be_reached_and_not_passed() {
        let budget = Budget { tokens: Some(100), usd: Some(1.0), ..Budget::default() };
        let used = |tokens: u64, usd: f64| Usage { tokens, usd, ..Usage::default() };
        assert_eq!(budget.passed_by(&used(100, 1.0)), None);
        assert_eq!(budget.passed_by(&used(101, 0.0)), Some(Limit::Tokens(100)));
        assert_eq!(budget.passed_by(&used(0, 1.01)), Some(Limit::Usd(1.0)));
    }
}
