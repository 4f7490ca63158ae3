const downloadWays = ['redirect', 'proxy'] as const

/** An S3-compatible store. */
export interface S3Config {
  kind: 's3'
  bucket: string
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Whether downloads are redirected to the store, or sent by this program. */
  downloads: (typeof downloadWays)[number]
}

/** Where files are stored: in a folder, or in an S3-compatible store. */
export type StorageConfig = { kind: 'disk' } | S3Config

interface Readers {
  readSetting: (name: string) => string | undefined
  readChoice: <const T extends string>(name: string, choices: readonly T[]) => T | undefined
}

const names = ['S3_BUCKET', 'S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/** Reads the settings of the store: all five of `names` or none, and `S3_DOWNLOADS`. */
export function readStorageSettings({ readSetting, readChoice }: Readers, problems: string[]): StorageConfig {
  const [bucket = '', endpoint = '', region = '', accessKeyId = '', secretAccessKey = ''] = names.map(readSetting)
  // A store without https is one of the own network: phones may not reach it, and pages with https may not show its pictures.
  const downloads = readChoice('S3_DOWNLOADS', downloadWays) ?? (endpoint.startsWith('https:') ? 'redirect' : 'proxy')
  const presentNames = names.filter((name) => readSetting(name))
  if (presentNames.length === 0) return { kind: 'disk' }
  const missing = names.filter((name) => !readSetting(name))
  if (missing.length)
    problems.push(
      `${presentNames[0]} is set but ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not; set all five or none.`,
    )
  if (endpoint && !(/^https?:\/\//.test(endpoint) && URL.canParse(endpoint)))
    problems.push(`S3_ENDPOINT is "${endpoint}"; give its URL with http:// or https://.`)
  return { kind: 's3', bucket, endpoint, region, accessKeyId, secretAccessKey, downloads }
}

/** The origin to which downloads are redirected; null when this program sends all bytes itself. */
export const downloadOrigin = (storage: StorageConfig): string | null =>
  storage.kind === 's3' && storage.downloads === 'redirect' ? new URL(storage.endpoint).origin : null
