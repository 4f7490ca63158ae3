import { useEffect, useState } from 'react'

const longestWaitMs = 1_000

/**
 * While it is not known which notices stand above the page: the page loads, but is not shown yet (`.frame` in
 * components.css), because a notice would move it. Not for longer than a second.
 */
export function NoticesPending() {
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const waitTimer = setTimeout(() => setIsOver(true), longestWaitMs)
    return () => clearTimeout(waitTimer)
  }, [])
  return isOver ? null : <span hidden data-notices-pending />
}
