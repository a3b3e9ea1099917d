//! Delivers over SMTP.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use super::Transport;
use crate::error::{Error, Result};
use crate::message::Message;

/// One server.
pub struct SmtpTransport {
    stream: BufReader<TcpStream>,
    hello: String,
}

impl SmtpTransport {
    /// Takes an open connection.
    pub fn new(stream: TcpStream, hello: &str) -> Self {
        Self { stream: BufReader::new(stream), hello: hello.to_owned() }
    }

    fn command(&mut self, line: &str) -> Result<()> {
        let refused = |error: std::io::Error| Error::Refused(error.to_string());
        self.stream.get_mut().write_all(format!("{line}\r\n").as_bytes()).map_err(refused)?;
        let mut answer = String::new();
        self.stream.read_line(&mut answer).map_err(refused)?;
        match answer.starts_with(['2', '3']) {
            true => Ok(()),
            false => Err(Error::Refused(answer.trim().to_owned())),
        }
    }
}

impl Transport for SmtpTransport {
    fn deliver(&mut self, message: &Message) -> Result<()> {
        self.command(&format!("HELO {}", self.hello))?;
        self.command(&format!("MAIL FROM:<{}>", message.from))?;
        for to in &message.to {
            self.command(&format!("RCPT TO:<{to}>"))?;
        }
        self.command("DATA")?;
        self.command(&format!("Subject: {}\r\n\r\n{}\r\n.", message.subject, message.body))
    }

    fn name(&self) -> &'static str {
        "smtp"
    }
}
