import { lazy, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { createAppState } from './app-state.ts'
import { App } from './app.tsx'
import type { TranslateSentence } from './lib/api.ts'
import { createFormat, localeOf } from './lib/format.ts'
import type { LocaleData } from './lib/i18n.tsx'
import { reloadLater, reloadWhenChunksAreMissing } from './lib/reload.ts'
import { routes } from './routes.tsx'
import './styles/index.css'

const LiveIndicator = lazy(async () => ({
  default: (await import('./features/live/LiveIndicator.tsx')).LiveIndicator,
}))

const root = document.getElementById('root')! // index.html contains it
const tag = import.meta.env.VITE_LANGUAGE
const builtLanguage = { tag, text: null, format: createFormat(localeOf(tag, window.navigator.languages)) }

/** In a separate chunk; if it cannot be loaded, the page shows a generic message. English needs no translation. */
const translate: TranslateSentence = async (sentence) => {
  const { loadRefusals, translateSentence } = await import('./lib/server-sentences.ts')
  return translateSentence(sentence, await loadRefusals())
}

function start(language: LocaleData): void {
  const apiOrigin = import.meta.env.VITE_API_ORIGIN ?? window.location.origin
  const state = createAppState({
    page: window,
    apiOrigin,
    ...(import.meta.env.VITE_LANGUAGE !== 'en' && { translate }),
  })
  reloadWhenChunksAreMissing(window, state.api)
  const indicator = (
    <Suspense>
      <LiveIndicator />
    </Suspense>
  )
  // A server-rendered page stays until the app has loaded as much.
  const isRendered = 'rendered' in root.dataset
  const container = isRendered ? document.createElement('div') : root
  container.id = root.id
  // Without this, an exception outside of a page leaves an empty window.
  const onUncaughtError = (error: unknown): void => {
    console.error(error)
    void reloadLater(window, state.api, new AbortController().signal)
  }
  createRoot(container, { onUncaughtError }).render(
    <App state={state} language={language} routes={routes} Router={BrowserRouter} indicator={indicator} />,
  )
  if (isRendered)
    void import('./lib/replace-prerendered-page.ts').then(({ replacePrerenderedPage }) =>
      replacePrerenderedPage(root, container, state.queryClient),
    )
  // The script in index.html looks for it.
  document.documentElement.dataset['started'] = ''
}

if (import.meta.env.DEV)
  void import('./lib/development-language.ts').then(async ({ developmentLanguage }) =>
    start((await developmentLanguage(window)) ?? builtLanguage),
  )
else start(builtLanguage)
