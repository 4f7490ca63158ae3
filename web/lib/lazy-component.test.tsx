import { QueryClient } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { lazyComponent, LazyPart } from './lazy-component.tsx'
import { replacePrerenderedPage } from './replace-prerendered-page.ts'

const Plans = lazyComponent('Plans', async () => ({ Plans: () => <p>Plans</p> }))
const Page = lazyComponent('Page', async () => ({
  Page: () => (
    <main>
      <LazyPart>
        <Plans />
      </LazyPart>
    </main>
  ),
}))

test('the server-rendered page stays until the app shows lazy components that React holds back', async () => {
  // React shows them without delay while this is set.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  document.body.innerHTML = '<div id="root"><main><p>Plans</p></main></div>'
  const rendered = document.getElementById('root')! // the line above
  const app = document.createElement('div')
  const root = createRoot(app)
  root.render(
    <LazyPart fallback={<span>Loading</span>}>
      <Page />
    </LazyPart>,
  )
  await replacePrerenderedPage(rendered, app, new QueryClient())
  expect(document.body.innerHTML).toBe('<div><main><p>Plans</p></main></div>')
  root.unmount()
})
