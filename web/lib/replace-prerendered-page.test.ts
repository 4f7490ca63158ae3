import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { replacePrerenderedPage } from './replace-prerendered-page.ts'

const content =
  '<a href="/x">x</a><details><summary>?</summary></details><textarea name="t"></textarea><button>b</button>'
let rendered: HTMLElement
let app: HTMLElement
beforeEach(() => {
  document.documentElement.dataset['session'] = ''
  document.body.innerHTML = `<div id="root" data-rendered>${content}</div>`
  rendered = document.getElementById('root')! // the line above
  app = document.createElement('div')
  app.innerHTML = content
})

test('the app replaces the page and keeps the focus, open details and entered text', async () => {
  rendered.querySelector('details')!.open = true // it is in the content
  const field = rendered.querySelector('textarea')! // as above
  field.value = 'Hello'
  field.focus()
  const inputs: string[] = []
  app.addEventListener('input', ({ target }) => inputs.push((target as HTMLTextAreaElement).value)) // the only field
  await replacePrerenderedPage(rendered, app, new QueryClient())
  expect(rendered.isConnected).toBe(false)
  expect(app.querySelector('details')!.open).toBe(true)
  expect(app.querySelector('textarea')).toHaveFocus()
  expect(inputs).toEqual(['Hello'])
  expect(document.documentElement.dataset['session']).toBeUndefined()
})

test('the page stays until the data of the app has loaded', async () => {
  const queryClient = new QueryClient()
  const data = Promise.withResolvers<string>()
  const query = queryClient.fetchQuery({ queryKey: ['data'], queryFn: () => data.promise })
  const done = replacePrerenderedPage(rendered, app, queryClient)
  await new Promise((resolve) => setTimeout(resolve))
  expect(rendered.isConnected).toBe(true)
  data.resolve('it')
  await Promise.all([query, done])
  expect(app.isConnected).toBe(true)
})

test('the page stays while the visitor presses something, so that the press becomes a click', async () => {
  const link = rendered.querySelector('a')! // it is in the content
  let clicks = 0
  link.addEventListener('click', () => (clicks += 1))
  const done = replacePrerenderedPage(rendered, app, new QueryClient())
  link.dispatchEvent(new Event('pointerdown', { bubbles: true }))
  setTimeout(() => {
    link.dispatchEvent(new Event('pointerup', { bubbles: true }))
    if (link.isConnected) link.click()
  }, 200)
  await done
  expect(clicks).toBe(1)
  expect(app.isConnected).toBe(true)
})

test('an app with other elements replaces the page without its state', async () => {
  rendered.querySelector('a')!.focus() // it is in the content
  app.innerHTML = '<button>other</button>'
  await replacePrerenderedPage(rendered, app, new QueryClient())
  expect(app.isConnected).toBe(true)
  expect(document.body).toHaveFocus()
})

test('a field keeps its text when the app has other links and fields before it', async () => {
  rendered.insertAdjacentHTML('afterbegin', '<a href="/login">in</a><input name="name" />')
  app.insertAdjacentHTML('afterbegin', '<a href="/1">1</a><a href="/2">2</a><a href="/3">3</a>')
  rendered.querySelector('input')!.value = 'Not asked of signed-in users' // it was inserted above
  const field = rendered.querySelector('textarea')! // it is in the content
  field.value = 'Hello'
  field.focus()
  await replacePrerenderedPage(rendered, app, new QueryClient())
  expect(app.querySelector('textarea')).toHaveValue('Hello')
  expect(app.querySelector('textarea')).toHaveFocus()
})

test('the focus stays on the same radio button of a group', async () => {
  const group = '<input type="radio" name="size" value="a" /><input type="radio" name="size" value="b" />'
  rendered.insertAdjacentHTML('beforeend', group)
  app.insertAdjacentHTML('beforeend', group)
  rendered.querySelector<HTMLElement>('[value="b"]')!.focus() // it was inserted above
  await replacePrerenderedPage(rendered, app, new QueryClient())
  expect(app.querySelector('[value="b"]')).toHaveFocus()
})
