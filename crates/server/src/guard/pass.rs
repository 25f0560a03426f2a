//! How a request shows the token: as a bearer, or in the cookie that the first
//! page load with `?token=` leaves behind.

use super::Token;
use crate::assets::PAGE;
use axum::http::{HeaderName, Request, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

/// What has to be shown.
pub(super) struct Pass {
    token: Token,
    /// Cookies do not know ports, so their name has to.
    cookie: String,
}

impl Pass {
    /// For a server on a port.
    pub(super) fn new(token: Token, port: u16) -> Self {
        let cookie = format!("rtoscope-{port}");
        Self { token, cookie }
    }

    /// Whether the request shows it.
    pub(super) fn is_shown<B>(&self, request: &Request<B>) -> bool {
        let texts = |name: HeaderName| {
            let values = request.headers().get_all(name).into_iter();
            values.filter_map(|value| value.to_str().ok())
        };
        let mut bearers = texts(header::AUTHORIZATION).filter_map(|text| {
            let (scheme, given) = text.split_once(' ')?;
            scheme
                .eq_ignore_ascii_case("bearer")
                .then_some(given.trim())
        });
        let mut cookies = texts(header::COOKIE).flat_map(|text| text.split(';'));
        bearers.any(|given| self.token.is(given))
            || cookies.any(|cookie| {
                let pair = cookie.trim().split_once('=');
                pair.is_some_and(|(name, given)| name == self.cookie && self.token.is(given))
            })
    }

    /// Lets the browser remember the token if the address of the page has it,
    /// and takes it out of the address.
    pub(super) fn welcome<B>(&self, request: &Request<B>) -> Option<Response> {
        let query = request
            .uri()
            .query()
            .filter(|_| request.uri().path() == PAGE)?;
        let mut right = false;
        let mut rest = form_urlencoded::Serializer::new(String::new());
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            if key == "token" {
                right |= self.token.is(&value);
            } else {
                rest.append_pair(&key, &value);
            }
        }
        if !right {
            return None;
        }
        let rest = rest.finish();
        let page = match rest.as_str() {
            "" => PAGE.to_owned(),
            rest => format!("{PAGE}?{rest}"),
        };
        let cookie = format!(
            "{}={}; Path=/; HttpOnly; SameSite=Strict",
            self.cookie,
            self.token.secret()
        );
        let headers = [(header::SET_COOKIE, cookie), (header::LOCATION, page)];
        Some((StatusCode::SEE_OTHER, headers).into_response())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "0123456789abcdef";

    fn pass() -> Pass {
        Pass::new(TOKEN.parse().unwrap(), 7070)
    }

    fn shown(name: &str, value: &str) -> bool {
        let request = Request::get("/api/traces").header(name, value);
        pass().is_shown(&request.body(()).unwrap())
    }

    #[test]
    fn bearers_and_cookies_show_the_token() {
        assert!(shown("authorization", &format!("Bearer {TOKEN}")));
        assert!(shown("authorization", &format!("bearer  {TOKEN}")));
        assert!(shown("cookie", &format!("rtoscope-7070={TOKEN}")));
        assert!(shown("cookie", &format!("a=b; rtoscope-7070={TOKEN}; c=d")));
        assert!(!shown("authorization", TOKEN));
        assert!(!shown("authorization", &format!("Basic {TOKEN}")));
        assert!(!shown("authorization", "Bearer"));
        assert!(!shown("authorization", "Bearer 0123456789abcdeF"));
        assert!(!shown("cookie", &format!("rtoscope-7071={TOKEN}")));
        assert!(!shown("cookie", "rtoscope-7070="));
        assert!(!shown("cookie", &format!("rtoscope-7070=x{TOKEN}")));
    }

    fn led_to(address: &str) -> Option<String> {
        let request = Request::get(address).body(()).unwrap();
        let response = pass().welcome(&request)?;
        let cookie = response.headers().get(header::SET_COOKIE).unwrap();
        let expected = format!("rtoscope-7070={TOKEN}; Path=/; HttpOnly; SameSite=Strict");
        assert_eq!(cookie, expected.as_str());
        let location = response.headers().get(header::LOCATION).unwrap();
        Some(location.to_str().unwrap().to_owned())
    }

    #[test]
    fn the_token_leaves_the_address() {
        assert_eq!(led_to(&format!("/?token={TOKEN}")).unwrap(), "/");
        let more = format!("/?view=a%2Fb&token={TOKEN}&at=1");
        assert_eq!(led_to(&more).unwrap(), "/?view=a%2Fb&at=1");
        assert_eq!(led_to("/?token=wrong"), None);
        assert_eq!(led_to("/"), None);
        assert_eq!(led_to(&format!("/api/traces?token={TOKEN}")), None);
    }
}
