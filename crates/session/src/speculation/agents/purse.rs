//! Allows requests within the budgets of the run and of the hour, and writes down what they cost.

use std::time::{Duration, Instant};

use foreword_model::agents::{Charge, Spent};

use super::ledger::{Entry, Ledger};
use crate::backend::Prices;
use crate::speculation::budget::{Budget, Used};

/// The budgets of a run.
pub struct Purse {
    run: Budget,
    hour: Budget,
    prices: Prices,
    start: Instant,
    /// Of this run.
    used: Used,
    ledger: Ledger,
    /// Told after each request, and asked whether to go on.
    paused: Box<dyn Fn() -> bool + Send>,
}

impl Purse {
    /// Starts a run with these budgets, of the run and of each hour.
    pub fn new(
        (run, hour): (Budget, Budget),
        prices: Prices,
        ledger: Ledger,
        paused: impl Fn() -> bool + Send + 'static,
    ) -> Self {
        let (start, used) = (Instant::now(), Used::default());
        Self { run, hour, prices, start, used, ledger, paused: Box::new(paused) }
    }

    /// What something costs, in US dollars.
    pub fn usd(&self, it: &Spent) -> f64 {
        usd(&self.prices, it)
    }

    /// What this run has used.
    pub fn used(&self) -> Used {
        Used { time: self.start.elapsed(), ..self.used }
    }

    /// Whether a request may be made, or what one cost.
    pub(crate) fn charge(&mut self, charge: Charge) -> Result<(), String> {
        match charge {
            Charge::Before(most) => self.allow(&most),
            Charge::After(spent) => {
                self.used = self.used.and(Used { time: Duration::ZERO, ..self.of(&spent) });
                let entry = Entry {
                    requests: spent.requests,
                    prompt_tokens: spent.prompt_tokens,
                    answer_tokens: spent.answer_tokens,
                    millis: spent.millis,
                    usd: self.usd(&spent),
                    ..Entry::default()
                };
                self.ledger.add(entry).map_err(|it| format!("{it:#}"))
            }
        }
    }

    /// Writes down a file that was planned.
    pub fn planned(&mut self, entry: Entry) -> anyhow::Result<()> {
        self.ledger.add(Entry { files: 1, ..entry })
    }

    /// Whether a file may be begun.
    pub fn allow(&self, most: &Spent) -> Result<(), String> {
        if (self.paused)() {
            return Err("paused; `foreword speculate --resume` goes on".to_owned());
        }
        let most = Used { time: Duration::ZERO, ..self.of(most) };
        if let Some(bound) = self.run.passed_by(&self.used().and(most)) {
            return Err(format!(
                "the budget of this run is used up ({bound}); the next run goes on"
            ));
        }
        let (hour, wait) = self.ledger.last_hour();
        match self.hour.passed_by(&hour.and(most)) {
            Some(bound) => Err(format!(
                "the budget of an hour is used up ({bound}); there is room again in {} min",
                wait.div_ceil(60)
            )),
            None => Ok(()),
        }
    }

    fn of(&self, it: &Spent) -> Used {
        Used {
            time: Duration::from_millis(it.millis),
            tokens: it.prompt_tokens.saturating_add(it.answer_tokens),
            usd: self.usd(it),
        }
    }
}

/// What something costs, in US dollars.
pub fn usd(prices: &Prices, it: &Spent) -> f64 {
    (it.prompt_tokens as f64 * prices.prompt + it.answer_tokens as f64 * prices.answer) / 1e6
}
