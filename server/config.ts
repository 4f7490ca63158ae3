import { isIP } from 'node:net'
import { logLevels, type LogLevel } from './log.ts'
import { readMail, type MailSettings } from './mail-settings.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** Where bytes live: a folder, or any store that speaks S3. */
export type StorageConfig =
  | { kind: 'disk' }
  | { kind: 's3'; bucket: string; endpoint: string; region: string; accessKeyId: string; secretAccessKey: string }

/** Everything that can be set, read once. Fields named `secret...` and connection strings are never logged. */
export interface Config extends MailSettings {
  port: number
  /** Undefined: all interfaces. */
  host: string | undefined
  /** The one origin of QR codes, mails and addresses, without a slash at its end. */
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
  /** The npm that runs this program, set by the scripts of package.json: when it is gone, the program ends. */
  parentPid: number | undefined
}

/** All that is wrong with the settings, one line each, naming the variable and the fix. */
export class BadSettings extends Error {
  override readonly name = 'BadSettings'
  readonly complaints: string[]
  constructor(complaints: string[]) {
    super(complaints.join('\n'))
    this.complaints = complaints
  }
}

/** Facts about the machine that defaults depend on. */
export interface Machine {
  /** The address under which other devices of the network reach this machine; undefined when there is none. */
  lanAddress: string | undefined
  cwd: string
}

const isCidr = (text: string): boolean => {
  const [address = '', bits, more] = text.split('/')
  const version = isIP(address)
  if (!version || more !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function readers(env: Env, complaints: string[]) {
  const text = (name: string): string | undefined => env[name]?.trim() || undefined
  const list = (name: string): string[] =>
    (text(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
  const whole = (name: string, least: number, most: number): number | undefined => {
    const given = text(name)
    if (given === undefined) return undefined
    const number = Number(given)
    if (Number.isInteger(number) && number >= least && number <= most) return number
    complaints.push(`${name} is "${given}"; give a whole number from ${least} to ${most}.`)
    return undefined
  }
  const choice = <const T extends string>(name: string, choices: readonly T[]): T | undefined => {
    const given = text(name)
    if (given === undefined) return undefined
    const found = choices.find((one) => one === given)
    if (!found) complaints.push(`${name} is "${given}"; give one of ${choices.join(', ')}.`)
    return found
  }
  /** An origin: scheme, host and port, nothing behind them. */
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
    complaints.push(`${name} has "${given}"; give an origin such as https://photos.example.com, without a path.`)
    return undefined
  }
  return { text, list, whole, choice, origin }
}

function readStorage(text: (name: string) => string | undefined, complaints: string[]): StorageConfig {
  const names = ['S3_BUCKET', 'S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
  const given = names.filter((name) => text(name))
  if (given.length === 0) return { kind: 'disk' }
  const missing = names.filter((name) => !text(name))
  if (missing.length)
    complaints.push(
      `${given[0]} is set but ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not; set all five or none.`,
    )
  const endpoint = text('S3_ENDPOINT') ?? ''
  if (endpoint && !/^https?:\/\//.test(endpoint))
    complaints.push(`S3_ENDPOINT is "${endpoint}"; give its address with http:// or https://.`)
  return {
    kind: 's3',
    bucket: text('S3_BUCKET') ?? '',
    endpoint,
    region: text('S3_REGION') ?? '',
    accessKeyId: text('S3_ACCESS_KEY_ID') ?? '',
    secretAccessKey: text('S3_SECRET_ACCESS_KEY') ?? '',
  }
}

/** The only reader of the environment. Pure, so that tests can call it; throws BadSettings with every complaint at once. */
export function readConfig(env: Env, machine: Machine): Config {
  const complaints: string[] = []
  const { text, list, whole, choice, origin } = readers(env, complaints)
  const port = whole('PORT', 0, 65_535) ?? 3000
  const givenUrl = text('PUBLIC_URL')
  const publicUrl =
    (givenUrl && origin('PUBLIC_URL', givenUrl)) || `http://${machine.lanAddress ?? 'localhost'}:${port}`
  const databaseUrl = text('DATABASE_URL')
  if (databaseUrl && !/^postgres(ql)?:\/\//.test(databaseUrl))
    complaints.push(
      'DATABASE_URL is no postgres:// address; give one such as postgres://user:password@host:5432/keepsnap.',
    )
  const secretKey = text('SECRET_KEY')
  if (secretKey && secretKey.length < 32)
    complaints.push(
      'SECRET_KEY is too short; give at least 32 random characters, for example the output of: openssl rand -hex 32',
    )
  if (databaseUrl && !secretKey)
    complaints.push(
      'SECRET_KEY must be set when DATABASE_URL is; give at least 32 random characters, the same on every machine.',
    )
  const trustedProxies = list('TRUSTED_PROXIES')
  for (const proxy of trustedProxies) {
    if (!isCidr(proxy))
      complaints.push(
        `TRUSTED_PROXIES has "${proxy}"; give addresses or CIDR ranges such as 10.0.0.0/8, never a number of hops.`,
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
    storage: readStorage(text, complaints),
    ...readMail(text, publicUrl, complaints),
    trustedProxies,
    maxMegapixels: whole('MAX_MEGAPIXELS', 1, 1000) ?? 120,
    workers: whole('WORKERS', 1, 64),
    logLevel: choice('LOG_LEVEL', logLevels) ?? 'info',
    parentPid: whole('KEEPSNAP_PARENT', 2, 2 ** 31),
  }
  if (complaints.length) throw new BadSettings(complaints)
  return config
}
