import type { ComponentProps } from 'react'
import { LoadFailed as LoadFailedCard } from '../../ui/LoadFailed.tsx'

/** Replaces a section that could not be loaded; smaller than on other pages. */
export const SectionLoadFailed = (props: Omit<ComponentProps<typeof LoadFailedCard>, 'className'>) => (
  <LoadFailedCard {...props} className="operator-state" />
)
