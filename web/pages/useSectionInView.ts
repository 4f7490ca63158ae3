import { useEffect, useState } from 'react'

/** Height of the bar above the page, and a little more. */
const barPx = 120

/** The id of the section that is being read: the last one whose beginning has passed the top of the window. */
export function useSectionInView(ids: readonly string[]): string | undefined {
  const [current, setCurrent] = useState(ids[0])
  useEffect(() => {
    const look = (): void => {
      const tops = ids.map((id) => ({ id, top: document.getElementById(id)?.getBoundingClientRect().top ?? Infinity }))
      const { scrollHeight } = document.documentElement
      const isAtEnd = window.scrollY > 0 && window.scrollY + window.innerHeight >= scrollHeight - 2
      const passed = tops.filter(({ top }) => top <= barPx).at(-1)
      setCurrent((isAtEnd ? tops.at(-1) : (passed ?? tops[0]))?.id)
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [ids])
  return current
}
