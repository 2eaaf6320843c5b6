import { msg } from '../i18n/t.ts';

/** Values that a configuration is made with. */
export interface SnippetValues {
  /** Origin of the exchange, such as http://127.0.0.1:3000. */
  readonly origin: string;
  readonly apiKey: string;
}

/** A configuration or program for one bot or library. docs/bots/README.md has the same texts. */
export interface Snippet {
  readonly id: SnippetId;
  /** A name, or marked with `msg`. */
  readonly title: string;
  /** The file that the text goes into. */
  readonly file: string;
  /** Language of the text, for code blocks. */
  readonly language: string;
  /** The commands that install and start it. */
  readonly command: string;
  /** Marked with `msg`; names of settings are in `<code>`. */
  readonly note: string;
  readonly toText: (values: SnippetValues) => string;
}

export const SNIPPET_IDS = [
  'freqtrade',
  'ccxt-python',
  'ccxt-javascript',
  'python-binance',
  'binance-connector',
  'nautilus-trader',
  'hummingbot',
  'go',
  'rust',
] as const;
export type SnippetId = (typeof SNIPPET_IDS)[number];

/** Secrets are never filled in. Programs read theirs from this variable. */
const SECRET_VARIABLE = 'BINANCE_API_SECRET';
/** Stands for the secret in files that cannot read a variable. */
const SECRET = 'YOUR_API_SECRET';

const toSockets = (origin: string) => origin.replace(/^http/, 'ws');

/** The addresses of CCXT's class for Binance, as the members of an object. */
function ccxtUrls(origin: string, indent: string): string {
  const rest = `${origin}/binance`;
  const sockets = `${toSockets(origin)}/binance`;
  const lines = [
    `"public": "${rest}/api/v3",`,
    `"private": "${rest}/api/v3",`,
    `"sapi": "${rest}/sapi/v1",`,
    `"fapiPublic": "${rest}/fapi/v1",`,
    `"dapiPublic": "${rest}/dapi/v1",`,
    `"ws": {`,
    `  "spot": "${sockets}/ws",`,
    `  "ws-api": { "spot": "${sockets}/ws-api/v3" }`,
    '}',
  ];
  return lines.map((line) => indent + line).join('\n');
}

const freqtrade: Snippet = {
  id: 'freqtrade',
  title: 'freqtrade',
  file: 'config.json',
  language: 'json',
  command:
    'pip install freqtrade && freqtrade create-userdir && freqtrade trade --config config.json --strategy SampleStrategy',
  note: msg(
    'Without <code>only_from_ccxt</code>, freqtrade downloads candles of the real Binance and mixes them with those of this exchange. Replace the secret, or set it as <code>FREQTRADE__EXCHANGE__SECRET</code>.',
  ),
  toText: ({ origin, apiKey }) => `{
  "max_open_trades": 3,
  "stake_currency": "USDT",
  "stake_amount": 100,
  "dry_run": false,
  "initial_state": "running",
  "timeframe": "5m",
  "entry_pricing": { "price_side": "same", "use_order_book": true, "order_book_top": 1 },
  "exit_pricing": { "price_side": "same", "use_order_book": true, "order_book_top": 1 },
  "exchange": {
    "name": "binance",
    "key": "${apiKey}",
    "secret": "${SECRET}",
    "only_from_ccxt": true,
    "pair_whitelist": ["BTC/USDT", "ETH/USDT"],
    "ccxt_config": {
      "urls": {
        "api": {
${ccxtUrls(origin, '          ')}
        }
      }
    }
  },
  "pairlists": [{ "method": "StaticPairList" }],
  "internals": { "process_throttle_secs": 5 }
}
`,
};

const ccxtPython: Snippet = {
  id: 'ccxt-python',
  title: msg('CCXT for Python'),
  file: 'bot.py',
  language: 'python',
  command: 'pip install ccxt && python bot.py',
  note: msg(
    'The same configuration works with <code>ccxt.async_support</code> and <code>ccxt.pro</code>.',
  ),
  toText: ({ origin, apiKey }) => `import ccxt
from os import environ

exchange = ccxt.binance({
    "apiKey": "${apiKey}",
    "secret": environ["${SECRET_VARIABLE}"],
    "urls": {
        "api": {
${ccxtUrls(origin, '            ')}
        }
    },
})
exchange.load_markets()
print(exchange.fetch_balance()["USDT"])
order = exchange.create_order("BTC/USDT", "limit", "buy", 0.01, 45000)
print(order["id"], order["status"])
exchange.cancel_order(order["id"], "BTC/USDT")
`,
};

const ccxtJavascript: Snippet = {
  id: 'ccxt-javascript',
  title: msg('CCXT for JavaScript'),
  file: 'bot.mjs',
  language: 'js',
  command: 'npm install ccxt && node bot.mjs',
  note: msg('The same configuration works with <code>ccxt.pro.binance</code>.'),
  toText: ({ origin, apiKey }) => `import ccxt from 'ccxt';

const exchange = new ccxt.binance({
  apiKey: '${apiKey}',
  secret: process.env.${SECRET_VARIABLE},
  urls: {
    api: {
${ccxtUrls(origin, '      ')}
    },
  },
});
await exchange.loadMarkets();
console.log((await exchange.fetchBalance()).USDT);
const order = await exchange.createOrder('BTC/USDT', 'limit', 'buy', 0.01, 45000);
console.log(order.id, order.status);
await exchange.cancelOrder(order.id, 'BTC/USDT');
`,
};

const pythonBinance: Snippet = {
  id: 'python-binance',
  title: 'python-binance',
  file: 'bot.py',
  language: 'python',
  command: 'pip install python-binance && python bot.py',
  note: msg(
    '<code>AsyncClient</code> has the same attributes; <code>BinanceSocketManager</code> takes its address from <code>STREAM_URL</code>.',
  ),
  toText: ({ origin, apiKey }) => `import os

from binance import BinanceSocketManager, Client


class Exchange(Client):
    API_URL = "${origin}/binance/api"
    MARGIN_API_URL = "${origin}/binance/sapi"
    WS_API_URL = "${toSockets(origin)}/binance/ws-api/v3"


BinanceSocketManager.STREAM_URL = "${toSockets(origin)}/binance/"

client = Exchange("${apiKey}", os.environ["${SECRET_VARIABLE}"])
print(client.get_asset_balance("USDT"))
order = client.order_limit_buy(symbol="BTCUSDT", quantity="0.01", price="45000")
print(order["orderId"], order["status"])
client.cancel_order(symbol="BTCUSDT", orderId=order["orderId"])
`,
};

const binanceConnector: Snippet = {
  id: 'binance-connector',
  title: 'binance-connector',
  file: 'bot.py',
  language: 'python',
  command: 'pip install binance-connector && python bot.py',
  note: msg(
    'Its socket clients take the address as <code>stream_url</code>: the path <code>/binance</code> with <code>ws</code> or <code>wss</code>, for the WebSocket API <code>/binance/ws-api/v3</code>.',
  ),
  toText: ({ origin, apiKey }) => `import os

from binance.spot import Spot

client = Spot(
    api_key="${apiKey}",
    api_secret=os.environ["${SECRET_VARIABLE}"],
    base_url="${origin}/binance",
)
print(client.account(omitZeroBalances="true")["balances"])
order = client.new_order(
    symbol="BTCUSDT", side="BUY", type="LIMIT", timeInForce="GTC", quantity="0.01", price="45000"
)
print(order["orderId"], order["status"])
client.cancel_order("BTCUSDT", orderId=order["orderId"])
`,
};

const nautilusTrader: Snippet = {
  id: 'nautilus-trader',
  title: 'nautilus_trader',
  file: 'bot.py',
  language: 'python',
  command: 'pip install nautilus_trader && python bot.py',
  note: msg(
    'Add your strategies to <code>node.trader</code> before <code>node.run()</code>. With an Ed25519 key add <code>"key_type": BinanceKeyType.ED25519</code>, and give the private key as the secret: its PKCS #8 in base64, on one line.',
  ),
  toText: ({ origin, apiKey }) => `import os

from nautilus_trader.adapters.binance import (
    BINANCE,
    BinanceDataClientConfig,
    BinanceExecClientConfig,
    BinanceLiveDataClientFactory,
    BinanceLiveExecClientFactory,
)
from nautilus_trader.config import InstrumentProviderConfig, TradingNodeConfig
from nautilus_trader.live.node import TradingNode

connection = {
    "api_key": "${apiKey}",
    "api_secret": os.environ["${SECRET_VARIABLE}"],
    "base_url_http": "${origin}/binance",
    "base_url_ws": "${toSockets(origin)}/binance",
    "instrument_provider": InstrumentProviderConfig(load_all=True),
}
node = TradingNode(
    TradingNodeConfig(
        trader_id="BOT-001",
        data_clients={BINANCE: BinanceDataClientConfig(**connection)},
        exec_clients={BINANCE: BinanceExecClientConfig(**connection)},
    )
)
node.add_data_client_factory(BINANCE, BinanceLiveDataClientFactory)
node.add_exec_client_factory(BINANCE, BinanceLiveExecClientFactory)
node.build()
node.run()
`,
};

const hummingbot: Snippet = {
  id: 'hummingbot',
  title: 'hummingbot',
  file: 'hummingbot/connector/exchange/binance/binance_constants.py',
  language: 'python',
  command: 'connect binance',
  note: msg(
    'The connector has its addresses in this file, each with a placeholder for the domain, which is not used. Enter the key and the secret when <code>connect</code> asks for them.',
  ),
  toText: ({ origin }) => `REST_URL = "${origin}/binance/api/"
WSS_URL = "${toSockets(origin)}/binance/ws"
WSS_API_URL = "${toSockets(origin)}/binance/ws-api/v3"
`,
};

const go: Snippet = {
  id: 'go',
  title: 'Go',
  file: 'main.go',
  language: 'go',
  command: 'go run main.go',
  note: msg(
    'Only the standard library. With <code>github.com/adshao/go-binance</code>, set <code>client.BaseURL</code> to the same address.',
  ),
  toText: ({ origin, apiKey }) => `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

const baseURL = "${origin}/binance"
const apiKey = "${apiKey}"

func send(method, path string, values url.Values) (string, error) {
	values.Set("timestamp", strconv.FormatInt(time.Now().UnixMilli(), 10))
	form := values.Encode()
	mac := hmac.New(sha256.New, []byte(os.Getenv("${SECRET_VARIABLE}")))
	mac.Write([]byte(form))
	form += "&signature=" + hex.EncodeToString(mac.Sum(nil))
	request, err := http.NewRequest(method, baseURL+path, strings.NewReader(form))
	if method == http.MethodGet {
		request, err = http.NewRequest(method, baseURL+path+"?"+form, nil)
	}
	if err != nil {
		return "", err
	}
	request.Header.Set("X-MBX-APIKEY", apiKey)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

func main() {
	fmt.Println(send("GET", "/api/v3/account", url.Values{"omitZeroBalances": {"true"}}))
	fmt.Println(send("POST", "/api/v3/order", url.Values{
		"symbol": {"BTCUSDT"}, "side": {"BUY"}, "type": {"LIMIT"}, "timeInForce": {"GTC"},
		"quantity": {"0.01"}, "price": {"45000"},
	}))
}
`,
};

const rust: Snippet = {
  id: 'rust',
  title: 'Rust',
  file: 'src/main.rs',
  language: 'rust',
  command: 'cargo add ureq hmac@0.12 sha2@0.10 hex && cargo run',
  note: msg(
    'With the crate binance, set <code>Config::rest_api_endpoint</code> to the same address.',
  ),
  toText: ({ origin, apiKey }) => `use hmac::{Hmac, Mac};
use sha2::Sha256;
use std::time::{SystemTime, UNIX_EPOCH};

const BASE_URL: &str = "${origin}/binance";
const API_KEY: &str = "${apiKey}";

/// Adds the time and the signature to parameters.
fn sign(parameters: &str) -> String {
    let secret = std::env::var("${SECRET_VARIABLE}").expect("the secret");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    let text = format!("{parameters}&timestamp={now}");
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(text.as_bytes());
    format!("{text}&signature={}", hex::encode(mac.finalize().into_bytes()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let account = format!("{BASE_URL}/api/v3/account?{}", sign("omitZeroBalances=true"));
    let balances = ureq::get(&account).header("X-MBX-APIKEY", API_KEY).call()?;
    println!("{}", balances.into_body().read_to_string()?);
    let order = "symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC&quantity=0.01&price=45000";
    let placed = ureq::post(&format!("{BASE_URL}/api/v3/order"))
        .header("X-MBX-APIKEY", API_KEY)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .send(&sign(order))?;
    println!("{}", placed.into_body().read_to_string()?);
    Ok(())
}
`,
};

export const SNIPPETS: readonly Snippet[] = [
  ...[freqtrade, ccxtPython, ccxtJavascript, pythonBinance, binanceConnector],
  ...[nautilusTrader, hummingbot, go, rust],
];
