//! Checks requests against the budgets of the run and of the hour, and records their costs.

use std::time::{Duration, Instant};

use foreword_model::agents::{Charge, Cost};

use super::budget::{Budget, Usage};
use super::ledger::{Entry, Ledger};
use crate::backend::Prices;

/// Enforces the budgets of a run.
pub struct BudgetGuard {
    run: Budget,
    hour: Budget,
    prices: Prices,
    start: Instant,
    /// Usage by this run.
    used: Usage,
    ledger: Ledger,
    /// Whether planning is paused; checked before each request.
    paused: Box<dyn Fn() -> bool + Send>,
}

impl BudgetGuard {
    /// Starts a run with the budgets of the run and of any hour.
    pub fn new(
        (run, hour): (Budget, Budget),
        prices: Prices,
        ledger: Ledger,
        paused: impl Fn() -> bool + Send + 'static,
    ) -> Self {
        let (start, used) = (Instant::now(), Usage::default());
        Self { run, hour, prices, start, used, ledger, paused: Box::new(paused) }
    }

    /// Cost in US dollars.
    pub fn usd(&self, it: &Cost) -> f64 {
        usd(&self.prices, it)
    }

    /// Time, tokens and money used by this run.
    pub fn used(&self) -> Usage {
        Usage { time: self.start.elapsed(), ..self.used }
    }

    /// Checks a request before it is made, or records its cost afterwards.
    pub fn charge(&mut self, charge: Charge) -> Result<(), String> {
        match charge {
            Charge::Before(most) => self.allow(&most),
            Charge::After(spent) => {
                self.used = self.used.and(Usage { time: Duration::ZERO, ..self.of(&spent) });
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

    /// Records a planned file.
    pub fn planned(&mut self, entry: Entry) -> anyhow::Result<()> {
        self.ledger.add(Entry { files: 1, ..entry })
    }

    /// Checks that the cost `most` fits the budgets.
    pub fn allow(&self, most: &Cost) -> Result<(), String> {
        if (self.paused)() {
            return Err("paused; `foreword speculate --resume` goes on".to_owned());
        }
        let most = Usage { time: Duration::ZERO, ..self.of(most) };
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

    fn of(&self, it: &Cost) -> Usage {
        Usage {
            time: Duration::from_millis(it.millis),
            tokens: it.prompt_tokens.saturating_add(it.answer_tokens),
            usd: self.usd(it),
        }
    }
}

/// Cost in US dollars.
pub fn usd(prices: &Prices, it: &Cost) -> f64 {
    (it.prompt_tokens as f64 * prices.prompt + it.answer_tokens as f64 * prices.answer) / 1e6
}
