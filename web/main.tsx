import { lazy, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { createAppState } from './app-state.ts'
import { App } from './app.tsx'
import { languageFor, type Language } from './lib/locales.ts'
import { reloadWhenChunksAreMissing } from './lib/reload-missing-chunks.ts'
import { routes } from './routes.tsx'
import './styles/index.css'

const LiveIndicator = lazy(async () => ({
  default: (await import('./features/live/LiveIndicator.tsx')).LiveIndicator,
}))

async function preferredLanguage(): Promise<Language> {
  const language = await languageFor(window.navigator.languages)
  const requested = new URLSearchParams(window.location.search).get('locale')
  if (!import.meta.env.DEV || requested !== 'pseudo') return language
  const [{ pseudoCatalogue }, { en }] = await Promise.all([import('./lib/pseudolocale.ts'), import('./messages/en.ts')])
  return { ...language, tag: 'en-x-pseudo', text: pseudoCatalogue(en) }
}

async function start(root: HTMLElement): Promise<void> {
  const state = createAppState({ page: window, apiOrigin: import.meta.env.VITE_API_ORIGIN ?? window.location.origin })
  reloadWhenChunksAreMissing(window, state.api)
  const language = await preferredLanguage()
  const indicator = (
    <Suspense>
      <LiveIndicator />
    </Suspense>
  )
  createRoot(root).render(
    <App state={state} language={language} routes={routes} Router={BrowserRouter} indicator={indicator} />,
  )
}

void start(document.getElementById('root')!) // index.html contains it
