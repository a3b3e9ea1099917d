use mailq::address::Address;
use mailq::{Message, Queue};

fn message(id: u64) -> Message {
    let address = Address::parse("a@example.org").unwrap();
    Message::new(id, address.clone(), vec![address], "hello", "text")
}

#[test]
fn what_is_due_first_comes_first() {
    let mut queue = Queue::new();
    queue.push(20, message(2));
    queue.push(10, message(1));
    assert_eq!(queue.pop_due(30).unwrap().id, 1);
    assert_eq!(queue.pop_due(30).unwrap().id, 2);
}

#[test]
fn what_is_not_due_stays() {
    let mut queue = Queue::new();
    queue.push(20, message(1));
    assert!(queue.pop_due(10).is_none());
    assert_eq!(queue.len(), 1);
}
