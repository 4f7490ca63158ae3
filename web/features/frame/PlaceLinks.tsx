import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { useText } from '../../lib/i18n.tsx'
import type { Place, PlaceName } from './places.ts'
import { frame } from '../../messages/en/frame.ts'

interface Props {
  places: readonly Place[]
  pictured?: boolean
  /** Stands behind a link, such as a count. */
  asides?: Partial<Record<PlaceName, ReactNode>>
}

/** A row or column of links; the one we are at is marked for the eye and for screen readers. */
export function PlaceLinks({ places, pictured = false, asides = {} }: Props) {
  const { links } = useText({ frame })
  return places.map(({ name, path, Icon }) => (
    <NavLink key={name} to={path} end>
      {pictured && Icon && <Icon className="i" />}
      {links[name]}
      {asides[name]}
    </NavLink>
  ))
}
