import { lazy, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { App, createAppState, type AppState } from './app.tsx'
import { languageFor, type Language } from './lib/locales.ts'
import { isReachable } from './lib/reachable.ts'
import { screens } from './routes.tsx'
import './styles/index.css'

/**
 * After a deploy the parts of the page that was open are gone from the server: load the new page, once. When a part is
 * missing because the network is, that waits until the server answers.
 */
function reloadWithoutParts({ api }: AppState): void {
  let isAsking = false
  window.addEventListener('vite:preloadError', async () => {
    if (isAsking || window.history.state?.reloaded) return
    isAsking = true
    const answers = await isReachable(api)
    isAsking = false
    if (!answers) return
    window.history.replaceState({ ...window.history.state, reloaded: true }, '')
    window.location.reload()
  })
}

const Indicator = lazy(async () => ({ default: (await import('./features/live/Indicator.tsx')).Indicator }))

async function languageHere(): Promise<Language> {
  const language = await languageFor(window.navigator.languages)
  const wanted = new URLSearchParams(window.location.search).get('locale')
  if (!import.meta.env.DEV || wanted !== 'pseudo') return language
  const [{ pseudoOf }, { en }] = await Promise.all([import('./lib/pseudo.ts'), import('./messages/en.ts')])
  return { ...language, tag: 'en-x-pseudo', text: pseudoOf(en) }
}

async function start(root: HTMLElement): Promise<void> {
  const state = createAppState({ page: window, apiOrigin: import.meta.env.VITE_API_ORIGIN ?? window.location.origin })
  reloadWithoutParts(state)
  const language = await languageHere()
  const indicator = (
    <Suspense>
      <Indicator />
    </Suspense>
  )
  createRoot(root).render(
    <App state={state} language={language} screens={screens} Router={BrowserRouter} indicator={indicator} />,
  )
}

void start(document.getElementById('root')!) // index.html has it
