import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useFakeServer } from '../test/fake-server.ts'
import { visit } from '../test/render.tsx'

const server = useFakeServer()

const codes = () => Array.from(document.querySelectorAll('img[src*="/qr/s/"]'), (code) => code.getAttribute('src'))

test.each([
  { at: '/', names: ['table', 'dance'] },
  { at: '/register', names: ['dance'] },
  { at: '/upload', names: ['topper'] },
])('the codes of the sample pictures on $at come from the API', async ({ at, names }) => {
  const { token } = server.addUser()
  await visit(server, { at, ...(at === '/upload' && { token }) })
  await waitFor(() => expect(codes()).toEqual(names.map((name) => `${server.origin}/qr/s/${name}.svg`)))
})
