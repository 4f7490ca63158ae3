import { isIP } from 'node:net'
import { logLevels, type LogLevel } from './runtime/log.ts'
import { readMailSettings, type MailSettings } from './ports/mail/settings.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** Where files are stored: in a folder, or in an S3-compatible store. */
export type StorageConfig =
  | { kind: 'disk' }
  | { kind: 's3'; bucket: string; endpoint: string; region: string; accessKeyId: string; secretAccessKey: string }

/** All settings, read once at the start. Secrets and connection strings are never logged. */
export interface Config extends MailSettings {
  port: number
  /** Undefined listens on all interfaces. */
  host: string | undefined
  /** The origin of QR codes, emails and URLs, without a trailing slash. */
  publicUrl: string
  publicUrlIsDefault: boolean
  allowedOrigins: string[]
  dataDir: string
  secretKey: string | undefined
  databaseUrl: string | undefined
  storage: StorageConfig
  trustedProxies: string[]
  maxMegapixels: number
  /** Undefined: one image process per core. */
  workers: number | undefined
  logLevel: LogLevel
  /** The npm process that started the program, set by the scripts of package.json; the program stops when it ends. */
  parentPid: number | undefined
}

/** All problems of the settings, one line each, with the name of the variable and how to fix it. */
export class ConfigError extends Error {
  override readonly name = 'BadSettings'
  readonly problems: string[]
  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** What the defaults take from the machine. */
export interface MachineInfo {
  /** The IP address at which other devices of the network reach this machine; undefined without a network. */
  lanAddress: string | undefined
  cwd: string
}

const isCidr = (text: string): boolean => {
  const [address = '', bits, more] = text.split('/')
  const version = isIP(address)
  if (!version || more !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function createReaders(env: Env, problems: string[]) {
  const text = (name: string): string | undefined => env[name]?.trim() || undefined
  const list = (name: string): string[] =>
    (text(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
  const integer = (name: string, min: number, max: number): number | undefined => {
    const given = text(name)
    if (given === undefined) return undefined
    const number = Number(given)
    if (Number.isInteger(number) && number >= min && number <= max) return number
    problems.push(`${name} is "${given}"; give a whole number from ${min} to ${max}.`)
    return undefined
  }
  const choice = <const T extends string>(name: string, choices: readonly T[]): T | undefined => {
    const given = text(name)
    if (given === undefined) return undefined
    const found = choices.find((one) => one === given)
    if (!found) problems.push(`${name} is "${given}"; give one of ${choices.join(', ')}.`)
    return found
  }
  /** An origin: scheme, host and port without a path. */
  const origin = (name: string, given: string): string | undefined => {
    const url = URL.canParse(given) ? new URL(given) : undefined
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
    problems.push(`${name} has "${given}"; give an origin such as https://photos.example.com, without a path.`)
    return undefined
  }
  return { text, list, integer, choice, origin }
}

function readStorage(text: (name: string) => string | undefined, problems: string[]): StorageConfig {
  const names = ['S3_BUCKET', 'S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
  const given = names.filter((name) => text(name))
  if (given.length === 0) return { kind: 'disk' }
  const missing = names.filter((name) => !text(name))
  if (missing.length)
    problems.push(
      `${given[0]} is set but ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not; set all five or none.`,
    )
  const endpoint = text('S3_ENDPOINT') ?? ''
  if (endpoint && !/^https?:\/\//.test(endpoint))
    problems.push(`S3_ENDPOINT is "${endpoint}"; give its URL with http:// or https://.`)
  return {
    kind: 's3',
    bucket: text('S3_BUCKET') ?? '',
    endpoint,
    region: text('S3_REGION') ?? '',
    accessKeyId: text('S3_ACCESS_KEY_ID') ?? '',
    secretAccessKey: text('S3_SECRET_ACCESS_KEY') ?? '',
  }
}

/** The only reader of environment variables. A pure function; throws ConfigError with all problems at once. */
export function readConfig(env: Env, machine: MachineInfo): Config {
  const problems: string[] = []
  const { text, list, integer, choice, origin } = createReaders(env, problems)
  const port = integer('PORT', 0, 65_535) ?? 3000
  const givenUrl = text('PUBLIC_URL')
  const publicUrl =
    (givenUrl && origin('PUBLIC_URL', givenUrl)) || `http://${machine.lanAddress ?? 'localhost'}:${port}`
  const databaseUrl = text('DATABASE_URL')
  if (databaseUrl && !/^postgres(ql)?:\/\//.test(databaseUrl))
    problems.push(
      'DATABASE_URL is not a postgres:// URL; give one such as postgres://user:password@host:5432/keepsnap.',
    )
  const secretKey = text('SECRET_KEY')
  if (secretKey && secretKey.length < 32)
    problems.push(
      'SECRET_KEY is too short; give at least 32 random characters, for example the output of: openssl rand -hex 32',
    )
  if (databaseUrl && !secretKey)
    problems.push(
      'SECRET_KEY must be set when DATABASE_URL is; give at least 32 random characters, the same on every machine.',
    )
  const trustedProxies = list('TRUSTED_PROXIES')
  for (const proxy of trustedProxies) {
    if (!isCidr(proxy))
      problems.push(
        `TRUSTED_PROXIES has "${proxy}"; give IP addresses or CIDR ranges such as 10.0.0.0/8, not a number of hops.`,
      )
  }
  const config: Config = {
    port,
    host: text('HOST'),
    publicUrl,
    publicUrlIsDefault: !givenUrl,
    allowedOrigins: list('ALLOWED_ORIGINS').flatMap((one) => origin('ALLOWED_ORIGINS', one) ?? []),
    dataDir: text('DATA_DIR') ?? `${machine.cwd}/data`,
    secretKey,
    databaseUrl,
    storage: readStorage(text, problems),
    ...readMailSettings(text, publicUrl, problems),
    trustedProxies,
    maxMegapixels: integer('MAX_MEGAPIXELS', 1, 1000) ?? 120,
    workers: integer('WORKERS', 1, 64),
    logLevel: choice('LOG_LEVEL', logLevels) ?? 'info',
    parentPid: integer('KEEPSNAP_PARENT', 2, 2 ** 31),
  }
  if (problems.length) throw new ConfigError(problems)
  return config
}
