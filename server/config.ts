import { isIP, isIPv4 } from 'node:net'
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { type Analytics, analyticsProviders } from '@keepsnap/contract/site.ts'
import { maxAcceptedKeys } from './lib/cryptography.ts'
import { type LogLevel, logLevels } from './platform/process/log.ts'
import { type MailSettings, readMailSettings } from './ports/mail/mail-settings.ts'
import { type PaymentsConfig, readPaymentSettings } from './ports/payments/payment-settings.ts'
import { readStorageSettings, type StorageConfig } from './ports/storage/storage.ts'
import { readWebhookSettings, type WebhookSettings } from './ports/webhooks.ts'
import { StartupError } from './faults.ts'

type Provider = Analytics['provider']
type Readers = ReturnType<typeof createReaders>

const names = ['ANALYTICS_PROVIDER', 'ANALYTICS_HOST', 'ANALYTICS_SITE'] as const

/** What identifies a site, by provider, and how to fix a setting that does not. */
const sites: Record<Provider, { pattern: RegExp; fix: string }> = {
  matomo: { pattern: /^[1-9]\d{0,9}$/, fix: "give the number of the site in Matomo's settings, such as 1" },
  plausible: {
    pattern: /^[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?$/i,
    fix: 'give the domain of the site as it is named in Plausible, such as photos.example.com',
  },
}

/** Characters that have no other meaning in a security policy: a star would allow every host, a semicolon end the rule. */
const plainHost = /^(?:[a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:]+\])$/

const isLoopbackName = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  (isIPv4(hostname) && hostname.startsWith('127.'))

/** Whether an origin may be in the security policy of pages. */
function isAllowedHost(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return plainHost.test(hostname) && (protocol === 'https:' || isLoopbackName(hostname))
}

function readAnalytics({ readSetting, readOrigin }: Readers, problems: string[]): Analytics | null {
  const providerSetting = readSetting('ANALYTICS_PROVIDER')
  const hostSetting = readSetting('ANALYTICS_HOST')
  const siteSetting = readSetting('ANALYTICS_SITE')
  const missing = names.filter((name) => !readSetting(name))
  if (missing.length === names.length) return null
  if (missing.length) {
    const given = names.find((name) => !missing.includes(name))
    problems.push(
      `${given} is set but ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not; set all three or none.`,
    )
  }
  const provider = analyticsProviders.find((one) => one === providerSetting)
  if (providerSetting && !provider)
    problems.push(`ANALYTICS_PROVIDER is "${providerSetting}"; give one of ${analyticsProviders.join(', ')}.`)
  const host = hostSetting && readOrigin('ANALYTICS_HOST', hostSetting)
  if (host && !isAllowedHost(host))
    problems.push(
      `ANALYTICS_HOST is "${hostSetting}"; give one host with https://, such as https://stats.example.com. http:// is for this machine only.`,
    )
  const site = provider && siteSetting && sites[provider].pattern.test(siteSetting) ? siteSetting : undefined
  if (provider && siteSetting && !site) problems.push(`ANALYTICS_SITE is "${siteSetting}"; ${sites[provider].fix}.`)
  return provider && host && site ? { provider, host, site } : null
}

const tokenCharsMin = 32

function readMetricsSettings({ readSetting, readInteger }: Readers, problems: string[]) {
  const metricsToken = readSetting('METRICS_TOKEN')
  const metricsPort = readInteger('METRICS_PORT', 0, 65_535)
  if (metricsToken !== undefined && (metricsToken.length < tokenCharsMin || !/^[\w.~+/=-]+$/.test(metricsToken)))
    problems.push(
      `METRICS_TOKEN is too short or has characters that a header cannot hold; give at least ${tokenCharsMin} random letters and digits, for example the output of: openssl rand -hex 32`,
    )
  if (metricsPort !== undefined && metricsToken === undefined)
    problems.push('METRICS_PORT is set but METRICS_TOKEN is not; set both, or neither.')
  return { metricsToken, metricsPort }
}

export type Env = Readonly<Record<string, string | undefined>>

/** All settings, read once at the start. Secrets and connection strings are never logged. */
export interface Config extends MailSettings, WebhookSettings {
  port: number
  /** Undefined listens on all interfaces. */
  host: string | undefined
  /** The origin of QR codes, emails and URLs, without a trailing slash. */
  publicUrl: string
  publicUrlIsDefault: boolean
  allowedOrigins: string[]
  dataDir: string
  secretKey: string | undefined
  /** Former keys, and keys that other machines use already. */
  acceptedSecretKeys: readonly string[]
  databaseUrl: string | undefined
  storage: StorageConfig
  payments: PaymentsConfig
  /** What the outbox folder may hold before emails to guests wait. */
  outboxMaxBytes: number
  trustedProxies: string[]
  /** Whether browsers may use https only for all subdomains of the host too, for a year. */
  hstsSubdomains: boolean
  maxMegapixels: number
  /** Undefined: one image process per core. */
  workers: number | undefined
  /** How long requests are still served after /ready reports that the program stops, so load balancers drain it. */
  drainMs: number
  logLevel: LogLevel
  /** Null: no visits are counted, and the security policy allows no other host. */
  analytics: Analytics | null
  /** What Prometheus sends; undefined: nothing is measured, and there is no page of metrics. */
  metricsToken: string | undefined
  /** A port for the page of metrics alone. Nodes that only run jobs have no other. */
  metricsPort: number | undefined
  /** Whether the security log contains addresses as they are, instead of their hashes. */
  logAddresses: boolean
  /** The npm process that started the program, set by the scripts of package.json; the program stops when it ends. */
  parentPid: number | undefined
}

/** All problems of the settings, one line each, with the name of the variable and how to fix it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: string[]
  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** What the defaults take from the machine. */
interface MachineInfo {
  /** The IP address at which other devices of the network reach this machine; undefined without a network. */
  lanAddress: string | undefined
  cwd: string
}

const isCidr = (range: string): boolean => {
  const [address = '', bits, more] = range.split('/')
  const version = isIP(address)
  if (!version || more !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

function createReaders(env: Env, problems: string[]) {
  const readSetting = (name: string): string | undefined => env[name]?.trim() || undefined
  const readList = (name: string): string[] =>
    (readSetting(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
  const readInteger = (name: string, min: number, max: number): number | undefined => {
    const settingValue = readSetting(name)
    if (settingValue === undefined) return undefined
    const number = Number(settingValue)
    if (Number.isInteger(number) && number >= min && number <= max) return number
    problems.push(`${name} is "${settingValue}"; give a whole number from ${min} to ${max}.`)
    return undefined
  }
  const readChoice = <const T extends string>(name: string, choices: readonly T[]): T | undefined => {
    const settingValue = readSetting(name)
    if (settingValue === undefined) return undefined
    const knownChoice = choices.find((one) => one === settingValue)
    if (!knownChoice) problems.push(`${name} is "${settingValue}"; give one of ${choices.join(', ')}.`)
    return knownChoice
  }
  /** An origin: scheme, host and port without a path. */
  const readOrigin = (name: string, settingValue: string): string | undefined => {
    const url = URL.canParse(settingValue) ? new URL(settingValue) : undefined
    if (
      url &&
      /^https?:$/.test(url.protocol) &&
      url.pathname === '/' &&
      !url.search &&
      !url.hash &&
      !url.username &&
      !url.password
    )
      return url.origin
    problems.push(`${name} has "${settingValue}"; give an origin such as https://photos.example.com, without a path.`)
    return undefined
  }
  return { readSetting, readList, readInteger, readChoice, readOrigin }
}

function readDatabase({ readSetting, readList }: Readers, problems: string[]) {
  const databaseUrl = readSetting('DATABASE_URL')
  if (databaseUrl && !/^postgres(ql)?:\/\//.test(databaseUrl))
    problems.push(
      'DATABASE_URL is not a postgres:// URL; give one such as postgres://user:password@host:5432/keepsnap.',
    )
  const secretKey = readSetting('SECRET_KEY')
  if (secretKey && secretKey.length < 32)
    problems.push(
      'SECRET_KEY is too short; give at least 32 random characters, for example the output of: openssl rand -hex 32',
    )
  if (databaseUrl && !secretKey)
    problems.push(
      'SECRET_KEY must be set when DATABASE_URL is; give at least 32 random characters, the same on every machine.',
    )
  const acceptedSecretKeys = readList('SECRET_KEYS_ACCEPTED').filter((key) => key !== secretKey)
  if (acceptedSecretKeys.some((key) => key.length < 32) || acceptedSecretKeys.length > maxAcceptedKeys)
    problems.push(
      `SECRET_KEYS_ACCEPTED has a key of under 32 characters or more than ${maxAcceptedKeys} keys; give former values of SECRET_KEY, separated by commas.`,
    )
  if (acceptedSecretKeys.length > 0 && !secretKey)
    problems.push('SECRET_KEYS_ACCEPTED is set but SECRET_KEY is not; with the key of the data folder, leave both out.')
  return { databaseUrl, secretKey, acceptedSecretKeys }
}

/** The only reader of environment variables. A pure function; throws ConfigError with all problems at once. */
export function readConfig(env: Env, machine: MachineInfo): Config {
  const problems: string[] = []
  const readers = createReaders(env, problems)
  const { readSetting, readList, readInteger, readChoice, readOrigin } = readers
  const port = readInteger('PORT', 0, 65_535) ?? 3000
  const publicUrlSetting = readSetting('PUBLIC_URL')
  const host = readSetting('HOST')
  const lanAddress = host !== undefined && isLoopback(host) ? undefined : machine.lanAddress
  const publicUrl =
    (publicUrlSetting && readOrigin('PUBLIC_URL', publicUrlSetting)) || `http://${lanAddress ?? 'localhost'}:${port}`
  const trustedProxies = readList('TRUSTED_PROXIES')
  for (const proxy of trustedProxies) {
    if (!isCidr(proxy))
      problems.push(
        `TRUSTED_PROXIES has "${proxy}"; give IP addresses or CIDR ranges such as 10.0.0.0/8, not a number of hops.`,
      )
  }
  const config: Config = {
    port,
    host,
    publicUrl,
    publicUrlIsDefault: !publicUrlSetting,
    allowedOrigins: readList('ALLOWED_ORIGINS').flatMap((one) => readOrigin('ALLOWED_ORIGINS', one) ?? []),
    dataDir: readSetting('DATA_DIR') ?? `${machine.cwd}/data`,
    ...readDatabase(readers, problems),
    storage: readStorageSettings(readers, problems),
    ...readMailSettings(readSetting, publicUrl, problems),
    ...readPaymentSettings(readSetting, publicUrl, problems),
    ...readWebhookSettings(readList, problems),
    analytics: readAnalytics(readers, problems),
    ...readMetricsSettings(readers, problems),
    outboxMaxBytes: (readInteger('OUTBOX_MAX_MB', 10, 1_000_000) ?? 1024) * 1024 * 1024,
    trustedProxies,
    hstsSubdomains: readChoice('HSTS_SUBDOMAINS', ['0', '1']) === '1',
    maxMegapixels: readInteger('MAX_MEGAPIXELS', 1, 1000) ?? 120,
    workers: readInteger('WORKERS', 1, 64),
    drainMs: (readInteger('DRAIN_SECONDS', 0, 15) ?? 0) * 1_000,
    logLevel: readChoice('LOG_LEVEL', logLevels) ?? 'info',
    logAddresses: readChoice('LOG_ADDRESSES', ['0', '1']) === '1',
    parentPid: readInteger('KEEPSNAP_PARENT', 2, 2 ** 31),
  }
  if (problems.length) throw new ConfigError(problems)
  return config
}

const byteOrderMarks = [
  { bytes: Buffer.from([0xef, 0xbb, 0xbf]), encoding: 'utf-8' },
  { bytes: Buffer.from([0xff, 0xfe]), encoding: 'utf-16le' },
  { bytes: Buffer.from([0xfe, 0xff]), encoding: 'utf-16be' },
]

/**
 * Editors of Windows begin a file with a byte order mark, or write it in UTF-16: Node then loses its first variable or all of
 * them, without a word. Reads such files of `--env-file` again; what was set elsewhere stays.
 * @throws StartupError when a file is in UTF-16 without the mark that would say so
 */
export function readMarkedEnvFiles(env: NodeJS.ProcessEnv, nodeArguments: readonly string[]): void {
  for (const argument of nodeArguments) {
    const [, path] = /^--env-file(?:-if-exists)?=(.+)$/.exec(argument) ?? []
    if (path === undefined) continue
    const content = readFileSync(path)
    const mark = byteOrderMarks.find(({ bytes }) => content.subarray(0, bytes.length).equals(bytes))
    if (!mark && content.includes(0))
      throw new StartupError(
        `The file ${path} is not text in UTF-8, so its settings cannot be read. Save it again with the encoding UTF-8.`,
      )
    if (!mark) continue
    for (const name of Object.keys(env)) if (/^(\uFEFF|\uFFFD)/.test(name)) delete env[name]
    // The decoder removes the mark.
    const values = parseEnv(new TextDecoder(mark.encoding).decode(content))
    for (const [name, value] of Object.entries(values)) env[name] ??= value
  }
}
