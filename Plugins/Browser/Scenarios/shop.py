"""A little shop with the things that pages do: dialogs, frames, windows, downloads, menus."""
import http.server
import sys

PAGES = {
    '/': '''<title>Shop</title><style>#list { visibility: hidden } #menu:hover #list { visibility: visible }</style>
<div id=menu>Menu<a id=list href="#sale">Sale</a></div>
<form><label>Colour <select id=colour><option>Red<option>Green<option disabled>Blue</select></label>
<label for=sizes>Sizes</label><select id=sizes multiple><option>S<option>M<option>L</select></form>
<button onclick="document.title = confirm('Empty the basket?') ? 'Empty' : 'Kept'">Empty the basket</button>
<button onclick="setTimeout(() => document.title = 'Hello ' + prompt('Your name?'), 200)">Sign in</button>
<p id=loading>Loading</p><p><b>Fresh</b> bread</p>
<a target=_blank href=/terms>Terms</a> <a href=/prices.csv>Prices</a>
<iframe id=pay src=/pay></iframe><x-card></x-card>
<script>
setTimeout(() => document.getElementById('loading').remove(), 300)
customElements.define('x-card', class extends HTMLElement {
  constructor() {
    super()
    this.attachShadow({mode: 'open'}).innerHTML = '<button id=like>Like</button><i>0</i>'
    this.shadowRoot.querySelector('button').onclick =
      () => this.shadowRoot.querySelector('i').textContent++
  }
})
</script>''',
    '/pay': '<title>Pay</title><label>Card <input id=card></label><button onclick="this.textContent = \'Paid\'">Pay</button>',
    '/terms': '<title>Terms</title><h1>Terms</h1>',
}


class Shop(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def do_GET(self):
        page = PAGES.get(self.path)
        self.send_response(200 if page or self.path == '/prices.csv' else 404)
        if self.path == '/prices.csv':
            self.send_header('Content-Disposition', 'attachment; filename="prices 2026.csv"')
            body = 'bread;2,40\n'
        else:
            self.send_header('Content-Type', 'text/html; charset=utf-8')
            body = '<!doctype html><html lang=en>' + (page or '')
        self.send_header('Content-Length', str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())


server = http.server.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Shop)
print('ready', flush=True)
server.serve_forever()
