import { expect, test, vi } from 'vitest'
import { shared } from './prepared.ts'

/** A question that is answered when the test says so. */
function question() {
  const asked: { values: readonly unknown[]; answer(rows: string[]): void; fail(error: Error): void }[] = []
  const ask = shared<string>(
    (values) => new Promise((answer, fail) => void asked.push({ values, answer: (rows) => answer(rows), fail })),
  )
  return { asked, ask }
}
const settle = () => new Promise(setImmediate)

test('those who ask while a statement runs share one that begins after they asked', async () => {
  const { asked, ask } = question()
  const first = ask(['a'])
  const [second, third] = [ask(['a']), ask(['a'])]
  await settle()
  expect(asked).toHaveLength(1)
  asked[0]!.answer(['old'])
  expect(await first).toEqual(['old'])
  await settle()
  expect(asked).toHaveLength(2)
  const fourth = ask(['a'])
  asked[1]!.answer(['new'])
  expect(await Promise.all([second, third])).toEqual([['new'], ['new']])
  await settle()
  asked[2]!.answer(['newest'])
  expect(await fourth).toEqual(['newest'])
  await settle()
  void ask(['a'])
  expect(asked).toHaveLength(4)
})

test('who asks something else does not wait, and a failure is told to those who share it alone', async () => {
  const { asked, ask } = question()
  const first = ask(['a', 1])
  const other = ask(['a', 2])
  const second = ask(['a', 1])
  expect(asked.map(({ values }) => values)).toEqual([
    ['a', 1],
    ['a', 2],
  ])
  asked[0]!.fail(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  await settle()
  asked[2]!.answer(['there'])
  expect(await second).toEqual(['there'])
  asked[1]!.answer(['other'])
  expect(await other).toEqual(['other'])
})

test('nobody waits for a statement that has not been answered for seconds', async () => {
  const { asked, ask } = question()
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  try {
    void ask(['a'])
    void ask(['a'])
    now.mockReturnValue(2_500)
    const late = ask(['a'])
    expect(asked).toHaveLength(2)
    asked[1]!.answer(['there'])
    expect(await late).toEqual(['there'])
  } finally {
    now.mockRestore()
  }
})
