//! The inspector's page. It is built from `inspector/` and committed, so that building the binary needs no Node.

use foreword_session::answer::trace::Trace;

/// The page without data, as a server sends it.
pub(crate) const PAGE: &str = include_str!("../inspector/built/page.html");

/// The position of the data in the page.
const MARK: &str = "<!--data-->";

/// The page with a trace in it, for use without a server.
pub(crate) fn with_trace(trace: &Trace) -> serde_json::Result<String> {
    // Nothing in the data may look like the end tag of its element.
    let json = serde_json::to_string(trace)?.replace('<', "\\u003c");
    let data = format!("<script id=\"data\" type=\"application/json\">{json}</script>");
    Ok(PAGE.replacen(MARK, &data, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_one_place_for_data_before_its_script() {
        assert_eq!(PAGE.matches(MARK).count(), 1);
        assert!(PAGE.find(MARK) < PAGE.rfind("<script>"));
    }

    #[test]
    fn the_page_loads_nothing_and_runs_only_its_own_script() {
        let policy = PAGE.split("Content-Security-Policy\" content=\"").nth(1).unwrap();
        let policy = policy.split('"').next().unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        for attribute in [" onclick=", " onload=", " src=\"http", "@import", "url(http"] {
            assert!(!PAGE.contains(attribute), "{attribute}");
        }
    }
}
