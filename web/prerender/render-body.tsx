import type { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { prerenderToNodeStream } from 'react-dom/static'
import { StaticRouter } from 'react-router'
import { App } from '../app.tsx'
import type { LocaleData } from '../lib/i18n.tsx'
import { routes } from '../routes.tsx'
import { createServerState, type ServerCalls } from './server-state.ts'

/** How many rounds of dependent calls a page may need. */
const maxRounds = 4

/** Loads the modules that a tree needs: those of lazy components, and of the components in them. */
async function loadModules(tree: ReactNode): Promise<void> {
  const errors: unknown[] = []
  const { prelude } = await prerenderToNodeStream(tree, { onError: (error) => void errors.push(error) })
  prelude.resume()
  // An error within a Suspense boundary would only leave that part out.
  if (errors.length > 0) throw errors[0]
}

/** Runs the pending queries; true if there were any. Rejects when one of them fails. */
async function loadData(queryClient: QueryClient): Promise<boolean> {
  const waiting = queryClient
    .getQueryCache()
    .getAll()
    .filter(({ state, options }) => state.status === 'pending' && !('enabled' in options && options.enabled === false))
  await Promise.all(waiting.map((query) => query.fetch()))
  return waiting.length > 0
}

/** The content of `#root` for a visitor who is not signed in, complete: with all modules and data. */
export async function renderBody(
  path: string,
  { language, ...calls }: ServerCalls & { language: LocaleData },
): Promise<string> {
  const state = createServerState(calls)
  const Router = ({ children }: { children: ReactNode }) => <StaticRouter location={path}>{children}</StaticRouter>
  const tree = <App state={state} language={language} routes={routes} Router={Router} />
  for (let round = 0; round < maxRounds; round += 1) {
    await loadModules(tree)
    if (!(await loadData(state.queryClient))) return renderToStaticMarkup(tree)
  }
  throw new Error(`the page ${path} still makes new calls after ${maxRounds} rounds`)
}
