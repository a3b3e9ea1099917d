//! The text of a mail as it goes out.

/// Lines end in CR LF; lines that begin with a dot get another.
pub fn wire_text(signer: &Signer, subject: &str, lines: &[&str], most: usize) -> String {
    let mut text = String::new();
    text.push_str("Subject: ");
    text.push_str(subject);
    text.push_str("\r\n");
    let mut n = 0;
    let mut blank = true;
    for line in lines {
        if n == most {
            break;
        }
        n += 1;
        let trimmed = line.trim_end();
        if trimmed.is_empty() {
            if blank {
                continue;
            }
            blank = true;
            text.push_str("\r\n");
            continue;
        }
        blank = false;
        if trimmed.starts_with('.') {
            text.push('.');
        }
        if trimmed.len() > 998 {
            let mut rest = trimmed;
            while rest.len() > 76 {
                let (head, tail) = rest.split_at(76);
                text.push_str(head);
                text.push_str("\r\n");
                rest = tail;
            }
            text.push_str(rest);
        } else {
            text.push_str(trimmed);
        }
        text.push_str("\r\n");
    }
    let mut canonical = text.to_ascii_lowercase();
    canonical.retain(|c| c != ' ');
    let header = <CURSOR:>
    text
}
