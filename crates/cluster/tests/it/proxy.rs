//! What stands between foreword and a real cluster: forbids, delays or answers some requests.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// What becomes of a request.
pub(crate) enum Verdict {
    Pass,
    /// An answer with this status and body.
    Answer(u16, &'static str),
    /// The real answer, after this time.
    Late(Duration),
}

/// Decides by the method and path of a request, such as `PUT /code/_mapping`.
type Decision = dyn Fn(&str) -> Verdict + Send + Sync;

/// The address of a proxy to the cluster at `FOREWORD_OPENSEARCH`.
pub(crate) fn proxy(decide: impl Fn(&str) -> Verdict + Send + Sync + 'static) -> String {
    let cluster = std::env::var("FOREWORD_OPENSEARCH").unwrap();
    let cluster = cluster.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let decide: Arc<Decision> = Arc::new(decide);
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let (cluster, decide) = (cluster.clone(), Arc::clone(&decide));
            // A client that goes away is none of the test's business.
            std::thread::spawn(move || drop(serve(&client.unwrap(), &cluster, &*decide)));
        }
    });
    url
}

/// Answers the one request of a connection.
fn serve(mut client: &TcpStream, cluster: &str, decide: &Decision) -> std::io::Result<()> {
    let mut reader = BufReader::new(client);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let lower = line.to_lowercase();
        if let Some(it) = lower.strip_prefix("content-length:") {
            length = it.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
        if !lower.starts_with("connection:") {
            head += &line;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let asked = head.lines().next().unwrap_or_default();
    match decide(asked.rsplit_once(' ').map_or(asked, |it| it.0)) {
        Verdict::Answer(status, body) => {
            let head = format!("HTTP/1.1 {status} x\r\nconnection: close\r\ncontent-length: ");
            return client.write_all(format!("{head}{}\r\n\r\n{body}", body.len()).as_bytes());
        }
        Verdict::Late(time) => std::thread::sleep(time),
        Verdict::Pass => {}
    }
    let mut upstream = TcpStream::connect(cluster)?;
    upstream.write_all(format!("{head}connection: close\r\n\r\n").as_bytes())?;
    upstream.write_all(&body)?;
    std::io::copy(&mut upstream, &mut client)?;
    client.shutdown(Shutdown::Both)
}
