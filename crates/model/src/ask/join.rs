//! Runs several futures concurrently on one thread.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use foreword_engine::sorting::sort_by_key;

/// Results of all futures, in order; at most `parallel` run at a time.
pub(super) async fn join<F: Future>(futures: Vec<F>, parallel: usize) -> Vec<F::Output> {
    let n = futures.len();
    let mut waiting: VecDeque<(usize, F)> = futures.into_iter().enumerate().collect();
    let mut running: Vec<(usize, Pin<Box<F>>)> = Vec::new();
    let mut done: Vec<(usize, F::Output)> = Vec::with_capacity(n);
    poll_fn(|context| {
        loop {
            while running.len() < parallel.max(1) {
                let Some((at, future)) = waiting.pop_front() else { break };
                running.push((at, Box::pin(future)));
            }
            let before = done.len();
            running.retain_mut(|(at, future)| match future.as_mut().poll(context) {
                Poll::Ready(it) => {
                    done.push((*at, it));
                    false
                }
                Poll::Pending => true,
            });
            match (done.len() == n, done.len() == before) {
                (true, _) => return Poll::Ready(()),
                (_, true) => return Poll::Pending,
                _ => {}
            }
        }
    })
    .await;
    sort_by_key(&mut done, |it| it.0);
    done.into_iter().map(|it| it.1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_futures() {
        let futures = (0..5).map(|n| async move { n * 2 }).collect();
        assert_eq!(crate::wait(join(futures, 2)), [0, 2, 4, 6, 8]);
        let none: Vec<std::future::Ready<u8>> = Vec::new();
        assert_eq!(crate::wait(join(none, 2)), Vec::<u8>::new());
    }
}
