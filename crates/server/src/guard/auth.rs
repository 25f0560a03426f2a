//! Authentication with a token: as a bearer token, or in the cookie set by the first
//! page load with `?token=`.

use super::Token;
use crate::assets::INDEX_PATH;
use axum::http::{HeaderName, Request, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

/// The credentials of a server.
pub(super) struct Auth {
    token: Token,
    /// Cookies are shared between ports, so the name contains the port.
    cookie: String,
}

impl Auth {
    /// For a server on `port`.
    pub(super) fn new(token: Token, port: u16) -> Self {
        let cookie = format!("rtoscope-{port}");
        Self { token, cookie }
    }

    /// Whether a request is authenticated.
    pub(super) fn is_authenticated<B>(&self, request: &Request<B>) -> bool {
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
        bearers.any(|given| self.token.matches(given))
            || cookies.any(|cookie| {
                let pair = cookie.trim().split_once('=');
                pair.is_some_and(|(name, given)| name == self.cookie && self.token.matches(given))
            })
    }

    /// Stores the token of the page's URL in a cookie and redirects to the URL without
    /// it.
    pub(super) fn login_redirect<B>(&self, request: &Request<B>) -> Option<Response> {
        let query = request
            .uri()
            .query()
            .filter(|_| request.uri().path() == INDEX_PATH)?;
        let mut right = false;
        let mut rest = form_urlencoded::Serializer::new(String::new());
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            if key == "token" {
                right |= self.token.matches(&value);
            } else {
                rest.append_pair(&key, &value);
            }
        }
        if !right {
            return None;
        }
        let rest = rest.finish();
        let page = match rest.as_str() {
            "" => INDEX_PATH.to_owned(),
            rest => format!("{INDEX_PATH}?{rest}"),
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

    fn auth() -> Auth {
        Auth::new(TOKEN.parse().unwrap(), 7070)
    }

    fn authenticated(name: &str, value: &str) -> bool {
        let request = Request::get("/api/traces").header(name, value);
        auth().is_authenticated(&request.body(()).unwrap())
    }

    #[test]
    fn bearer_tokens_and_cookies_authenticate() {
        assert!(authenticated("authorization", &format!("Bearer {TOKEN}")));
        assert!(authenticated("authorization", &format!("bearer  {TOKEN}")));
        assert!(authenticated("cookie", &format!("rtoscope-7070={TOKEN}")));
        assert!(authenticated(
            "cookie",
            &format!("a=b; rtoscope-7070={TOKEN}; c=d")
        ));
        assert!(!authenticated("authorization", TOKEN));
        assert!(!authenticated("authorization", &format!("Basic {TOKEN}")));
        assert!(!authenticated("authorization", "Bearer"));
        assert!(!authenticated("authorization", "Bearer 0123456789abcdeF"));
        assert!(!authenticated("cookie", &format!("rtoscope-7071={TOKEN}")));
        assert!(!authenticated("cookie", "rtoscope-7070="));
        assert!(!authenticated("cookie", &format!("rtoscope-7070=x{TOKEN}")));
    }

    fn redirect_target(address: &str) -> Option<String> {
        let request = Request::get(address).body(()).unwrap();
        let response = auth().login_redirect(&request)?;
        let cookie = response.headers().get(header::SET_COOKIE).unwrap();
        let expected = format!("rtoscope-7070={TOKEN}; Path=/; HttpOnly; SameSite=Strict");
        assert_eq!(cookie, expected.as_str());
        let location = response.headers().get(header::LOCATION).unwrap();
        Some(location.to_str().unwrap().to_owned())
    }

    #[test]
    fn token_is_removed_from_the_url() {
        assert_eq!(redirect_target(&format!("/?token={TOKEN}")).unwrap(), "/");
        let more = format!("/?view=a%2Fb&token={TOKEN}&at=1");
        assert_eq!(redirect_target(&more).unwrap(), "/?view=a%2Fb&at=1");
        assert_eq!(redirect_target("/?token=wrong"), None);
        assert_eq!(redirect_target("/"), None);
        assert_eq!(redirect_target(&format!("/api/traces?token={TOKEN}")), None);
    }
}
