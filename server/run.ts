import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { stopInOrder, untilTold, type Closer } from './lifecycle.ts'
import { warningsOf, readyCard } from './ready-card.ts'
import { StartProblem, systemCode } from './start-problem.ts'
import { joinDatabase, openDatabase } from './where.ts'

export interface RunOptions {
  config: Config
  log: Logger
  parts: { serve: boolean; work: boolean }
  out: { isTTY?: boolean; write(text: string): unknown }
}

/**
 * Connections that may wait to be taken, as far as the system allows: a hall of guests scans in the same second, and whoever
 * does not fit is only heard again seconds later.
 */
const backlog = 4_096

/** Listens where the settings say: on all interfaces, IPv6 too where there is any. */
async function listen(http: FastifyInstance, { host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  try {
    await http.listen({ port, host: host ?? '::', backlog })
  } catch (error) {
    const code = systemCode(error)
    if (code === 'EADDRINUSE')
      throw new StartProblem(
        `Port ${port} is taken by another program. Stop that one, or give this one another port with PORT.`,
      )
    if (code === 'EACCES')
      throw new StartProblem(`Port ${port} may not be used by this user. Give another one with PORT, such as 3000.`)
    if (host === undefined && (code === 'EAFNOSUPPORT' || code === 'EADDRNOTAVAIL'))
      return listen(http, { host: '0.0.0.0', port })
    if (host !== undefined && (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL'))
      throw new StartProblem(`HOST is ${host}, which is no address of this machine.`)
    throw error
  }
}

/** Runs until told to end; resolves with the exit code. */
export async function run({ config, log, parts, out }: RunOptions): Promise<number> {
  const began = performance.now()
  const told = untilTold(config.parentPid, (signal) => {
    log.warn(`${signal} again: ending at once`)
    process.exit(1)
  })
  const closers: Closer[] = []
  const end = async (): Promise<boolean> => stopInOrder(closers, log)
  try {
    const where = parts.serve ? await openDatabase(config, log) : await joinDatabase(config, log)
    closers.unshift(...where.closers)
    const app = await createApp({
      config,
      log,
      database: where.database,
      parts,
      webDist: join(import.meta.dirname, '../web/dist'),
      guestRenderer: join(import.meta.dirname, '../web/dist-guest/guest.js'),
    })
    closers.unshift(...app.closers)
    if (app.http) {
      await listen(app.http, config)
      const address = app.http.server.address()
      const port = typeof address === 'object' && address ? address.port : config.port
      where.tell({ address: `http://localhost:${port}` })
      const readiness = { config, port, isolation: app.images?.isolation, startedInMs: performance.now() - began }
      if (out.isTTY) out.write(readyCard(readiness))
      else
        log.info(
          {
            port,
            publicUrl: config.publicUrl,
            mail: config.mail.kind,
            isolation: readiness.isolation,
            ms: Math.round(readiness.startedInMs),
          },
          'ready',
        )
      if (!out.isTTY) for (const warning of warningsOf(config)) log.warn(warning)
    } else log.info({ isolation: app.images?.isolation }, 'working')
    const why = await Promise.race([told, where.lost.then((sentence) => ({ sentence }))])
    where.tell({ stopping: true })
    if (typeof why === 'string') log.info(`stopping: ${why}`)
    else log.error(why.sentence)
    const clean = await end()
    return typeof why === 'string' && clean ? 0 : 1
  } catch (error) {
    await end()
    throw error
  }
}
