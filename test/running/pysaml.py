"""A provider of SAML 2.0 for the tests, by pysaml2 and xmlsec1: what it asks and says is theirs. `pysaml.ts` starts it.

It is given a folder: `key.pem` and `certificate.pem`, `site.xml` (the metadata of the site that it speaks to) and `people.json`,
which says of each person the attributes, and of the answer what is otherwise than usual. Both are read at each request.
"""

import html
import json
import sys
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import saml2.sigver
from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.authn_context import PASSWORD
from saml2.config import IdPConfig
from saml2.saml import NAMEID_FORMAT_PERSISTENT, NAMEID_FORMAT_TRANSIENT, NAME_FORMAT_URI, NameID
from saml2.server import Server
from saml2.sigver import get_xmlsec_binary, verify_redirect_signature
from saml2.xmldsig import DIGEST_SHA256, SIG_RSA_SHA256

folder = Path(sys.argv[1])
listener = ThreadingHTTPServer(("127.0.0.1", 0), None)
address = f"http://{sys.argv[2]}:{listener.server_port}"
sign_in = f"{address}/sign-in"


def provider():
    service = {
        "endpoints": {"single_sign_on_service": [(sign_in, BINDING_HTTP_REDIRECT)]},
        "policy": {"default": {"lifetime": {"minutes": 5}, "name_form": NAME_FORMAT_URI}},
    }
    config = IdPConfig().load(
        {
            "entityid": f"{address}/metadata",
            "xmlsec_binary": get_xmlsec_binary(),
            "key_file": str(folder / "key.pem"),
            "cert_file": str(folder / "certificate.pem"),
            "metadata": {"local": [str(folder / "site.xml")]},
            "service": {"idp": service},
        }
    )
    return Server(config=config)


def whether_signed(at, query, site):
    """Whether the site signed the request with a key of its metadata; refuses a signature that is of no such key."""
    if "Signature" not in query:
        return False
    for found in at.metadata.certs(site, "any", "signing"):
        certificate = found[1] if isinstance(found, tuple) else found
        if verify_redirect_signature(query, at.sec.sec_backend, certificate):
            return True
    raise ValueError("The request is signed by nobody who is known here.")


def answer(query, name):
    at = provider()
    asked = at.parse_authn_request(query["SAMLRequest"], BINDING_HTTP_REDIRECT)
    given = at.response_args(asked.message)
    is_signed = whether_signed(at, query, given["sp_entity_id"])
    person = json.loads((folder / "people.json").read_text())[name]
    if person.get("wantsSignedRequest") and not is_signed:
        raise ValueError("The request is not signed.")
    if person.get("encryption"):
        # pysaml2 would take triple DES, which nobody should.
        saml2.sigver.pre_encryption_part.__kwdefaults__["msg_enc"] = person["encryption"]
        bits = "192" if "tripledes" in person["encryption"] else "256" if "aes256" in person["encryption"] else "128"
        key_type = f"{'des' if bits == '192' else 'aes'}-{bits}"
        at.sec.encrypt_assertion = partial(at.sec.encrypt_assertion, key_type=key_type)
    response = at.create_authn_response(
        identity=person["attributes"],
        in_response_to=given["in_response_to"],
        destination=given["destination"],
        sp_entity_id=person.get("audience", given["sp_entity_id"]),
        name_id=NameID(
            format=NAMEID_FORMAT_TRANSIENT if person.get("isTransient") else NAMEID_FORMAT_PERSISTENT, text=name
        ),
        authn={"class_ref": PASSWORD, "authn_auth": address},
        sign_assertion=not person.get("isUnsigned"),
        sign_response=person.get("isAnswerSigned", False),
        encrypt_assertion="encryption" in person,
        sign_alg=person.get("signature", SIG_RSA_SHA256),
        digest_alg=person.get("digest", DIGEST_SHA256),
    )
    return at.apply_binding(BINDING_HTTP_POST, str(response), given["destination"], "", response=True)["data"]


class Door(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        if url.path != "/sign-in" or "SAMLRequest" not in query:
            return self.say(404, "Nothing is here.")
        name = query.pop("name", None)
        if name is None:
            kept = "".join(f'<input type="hidden" name="{n}" value="{html.escape(v)}">' for n, v in query.items())
            return self.say(200, f"<form>{kept}<label>Name <input name=name></label><button>Continue</button></form>")
        try:
            return self.say(200, answer(query, name))
        except Exception as error:  # Whatever pysaml2 has against it.
            return self.say(403, html.escape(f"{type(error).__name__}: {error}"))

    def say(self, status, page):
        body = page.encode()
        self.send_response(status)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


listener.RequestHandlerClass = Door
print(json.dumps({"issuer": f"{address}/metadata", "signInUrl": sign_in}), flush=True)
listener.serve_forever()
