import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient, KeepsnapError, KeepsnapNetworkError } from '../client.ts'
import type { User } from '../api.ts'
import { exitCodes, outcomeOf, Stopped } from './uploader.ts'
import { texts } from './options.ts'
import type { WaitReporter } from './output.ts'

export interface Connection {
  client: Client
  user: User
  /**
   * The time of the server, in ms since 1970. It goes on when the clock of this machine is set, but can stand still while
   * this machine is suspended.
   */
  serverTime: () => number
  /** Asks the server for its time again. Rejects as calls of the client do. */
  updateServerTime: () => Promise<void>
}

/** These answers will not change by waiting. */
const wrongUrl = new Set(['not_found', 'method_not_allowed', 'misdirected'])

/** Finds out who the key belongs to. Waits as long as there is no network; throws `Stopped` if the key or URL is wrong. */
export async function connectToServer(
  { url, apiKey }: { url: string; apiKey: string },
  { waits, signal }: { waits: WaitReporter; signal: AbortSignal },
): Promise<Connection> {
  // The command waits itself, and says so.
  const client = createClient({ url, apiKey, attempts: 1 })
  for (let attempt = 1; ; attempt++) {
    try {
      const user = await client.getUser({ signal })
      const clock = await readServerClock(client, signal)
      waits.over()
      return { client, user, ...clock }
    } catch (error) {
      if (!(error instanceof KeepsnapError || error instanceof KeepsnapNetworkError)) throw error
      const code = error instanceof KeepsnapError ? error.code : null
      if (code && wrongUrl.has(code)) throw new Stopped(texts.noKeepsnap(url), exitCodes.usage)
      const outcome = outcomeOf(error, attempt, url)
      if (outcome.do !== 'wait')
        throw new Stopped('reason' in outcome ? outcome.reason : error.message, exitCodes.noAccess)
      if (outcome.ends) throw new Stopped(outcome.reason, exitCodes[outcome.ends])
      await waits.for(outcome, signal)
    }
  }
}

async function readServerClock(
  client: Client,
  signal: AbortSignal,
): Promise<Pick<Connection, 'serverTime' | 'updateServerTime'>> {
  let offset = 0
  const updateServerTime = async (): Promise<void> => {
    const { timestamp } = await client.getHealth({ signal })
    offset = Date.parse(timestamp) - performance.now()
  }
  await updateServerTime()
  return { serverTime: () => offset + performance.now(), updateServerTime }
}

function dataFolder(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') return env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support')
  return env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state')
}

/** What identifies an account in the state file. */
export const accountKey = (url: string, { id }: Pick<User, 'id'>): string => `${url} ${id}`

/** The state file of an account, if the command line names none. */
export const defaultStateFile = (url: string, { id }: Pick<User, 'id'>, env: NodeJS.ProcessEnv): string =>
  join(dataFolder(env), 'keepsnap-upload', `${new URL(url).host.replace(/[^\w.-]/g, '-')}-${id}.json`)
