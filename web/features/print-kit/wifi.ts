import { encodeQR } from 'qr'
import type { Modules } from './drawing.ts'
import { utf8Modules } from './utf8-code.ts'

/** How a Wi-Fi network is protected, as its code writes it. */
export const wifiSecurities = ['WPA', 'WEP', 'nopass'] as const
export type WifiSecurity = (typeof wifiSecurities)[number]

/** A Wi-Fi network. It exists in the memory of this page only: see docs/decisions/0043-print-kit.md. */
export interface Wifi {
  network: string
  password: string
  security: WifiSecurity
  /** It does not announce its name. */
  isHidden: boolean
}

export const emptyWifi: Wifi = { network: '', password: '', security: 'WPA', isHidden: false }

const mostNetworkBytes = 32
const utf8 = new TextEncoder()

export interface WifiProblems {
  network?: 'missing' | 'long'
  password?: 'missing' | 'wpa' | 'wep'
}

/** What would make the code useless: names and passwords that no network can have (IEEE 802.11). */
export function wifiProblems({ network, password, security }: Wifi): WifiProblems {
  const problems: WifiProblems = {}
  if (network === '') problems.network = 'missing'
  else if (utf8.encode(network).length > mostNetworkBytes) problems.network = 'long'
  if (security === 'nopass') return problems
  if (password === '') problems.password = 'missing'
  else if (security === 'WPA' && !/^(?:[\x20-\x7e]{8,63}|[\dA-Fa-f]{64})$/.test(password)) problems.password = 'wpa'
  else if (security === 'WEP' && !/^(?:[\x20-\x7e]{5}|[\x20-\x7e]{13}|[\dA-Fa-f]{10}|[\dA-Fa-f]{26})$/.test(password))
    problems.password = 'wep'
  return problems
}

export const isWifiComplete = (wifi: Wifi): boolean => Object.keys(wifiProblems(wifi)).length === 0

const escaped = (text: string): string => text.replace(/[\\;,:"]/g, String.raw`\$&`)

/** The text of a code that joins the network, which the cameras of iOS and Android understand. */
export function wifiText({ network, password, security, isHidden }: Wifi): string {
  const secret = security === 'nopass' ? '' : `P:${escaped(password)};`
  return `WIFI:T:${security};S:${escaped(network)};${secret}${isHidden ? 'H:true;' : ''};`
}

// The encoder draws at least this much of the quiet zone.
const smallestBorder = 1

/** The code that joins the network. Error correction level M. */
export function wifiModules(wifi: Wifi): Modules {
  const text = wifiText(wifi)
  if (!/^[\x20-\x7e]*$/.test(text)) return utf8Modules(text)
  return encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border: smallestBorder })
    .slice(smallestBorder, -smallestBorder)
    .map((row) => row.slice(smallestBorder, -smallestBorder))
}
