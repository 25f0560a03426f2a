//! Origin of a request in the browser.

use crate::assets::INDEX_PATH;
use axum::http::uri::Authority;
use axum::http::{Method, Request, header};

/// Whether a foreign page sent the request; following a link to our page does not
/// count. `host` is the name by which the client knows this server.
pub(super) fn is_cross_origin<B>(request: &Request<B>, host: &Authority) -> bool {
    let ours = |origin: &str| {
        let scheme = ["http://", "https://"];
        let authority = scheme.iter().find_map(|scheme| origin.strip_prefix(scheme));
        authority.is_some_and(|it| it.eq_ignore_ascii_case(host.as_str()))
    };
    let mut origins = request.headers().get_all(header::ORIGIN).iter();
    let named = origins.any(|origin| !origin.to_str().is_ok_and(ours));
    named || is_cross_site(request) && !is_page_navigation(request)
}

/// Whether the user followed a link from another site. Such a request carries no strict
/// cookie.
pub(super) fn is_cross_site_navigation<B>(request: &Request<B>) -> bool {
    is_cross_site(request) && is_page_navigation(request)
}

/// Whether the browser reports an origin other than our page or the user. `same-site`
/// is another origin: another port of this machine.
fn is_cross_site<B>(request: &Request<B>) -> bool {
    let mut sites = request.headers().get_all("sec-fetch-site").iter();
    sites.any(|site| site != "same-origin" && site != "none")
}

/// Whether the page itself is requested for display in a window.
fn is_page_navigation<B>(request: &Request<B>) -> bool {
    let is = |name, value: &str| request.headers().get(name).is_some_and(|it| it == value);
    request.method() == Method::GET
        && request.uri().path() == INDEX_PATH
        && is("sec-fetch-mode", "navigate")
        && is("sec-fetch-dest", "document")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foreign(line: (&str, &str), headers: &[(&str, &str)]) -> bool {
        let mut request = Request::builder().method(line.0).uri(line.1);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let host = Authority::from_static("localhost:7070");
        is_cross_origin(&request.body(()).unwrap(), &host)
    }

    const QUERY: (&str, &str) = ("POST", "/api/traces/1/query");

    #[test]
    fn same_origin_and_non_browser_requests_pass() {
        assert!(!foreign(QUERY, &[]));
        assert!(!foreign(QUERY, &[("origin", "http://localhost:7070")]));
        let ours = [
            ("origin", "https://localhost:7070"),
            ("sec-fetch-site", "same-origin"),
        ];
        assert!(!foreign(QUERY, &ours));
        assert!(!foreign(("GET", "/"), &[("sec-fetch-site", "none")]));
    }

    #[test]
    fn cross_origin_requests_are_rejected() {
        for origin in [
            "http://evil.example",
            "http://127.0.0.1:7070",
            "http://localhost:7071",
            "http://localhost",
            "http://localhost:7070.evil.example",
            "localhost:7070",
            "file://localhost:7070",
            "null",
            "",
        ] {
            assert!(foreign(QUERY, &[("origin", origin)]), "{origin}");
        }
        let two = [
            ("origin", "http://localhost:7070"),
            ("origin", "http://evil.example"),
        ];
        assert!(foreign(QUERY, &two));
        assert!(foreign(QUERY, &[("sec-fetch-site", "cross-site")]));
        assert!(foreign(QUERY, &[("sec-fetch-site", "same-site")]));
        assert!(foreign(("GET", "/"), &[("sec-fetch-site", "cross-site")]));
    }

    #[test]
    fn cross_site_links_reach_the_page_only() {
        let link = [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
            ("sec-fetch-dest", "document"),
        ];
        assert!(!foreign(("GET", "/"), &link));
        assert!(foreign(("GET", "/api/traces"), &link));
        assert!(foreign(("POST", "/"), &link));
        let frame = [link[0], link[1], ("sec-fetch-dest", "iframe")];
        assert!(foreign(("GET", "/"), &frame));
    }
}
