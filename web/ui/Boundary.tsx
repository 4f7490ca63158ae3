import { Component, type ReactNode } from 'react'

interface Props {
  /** What stands in for the part that broke. */
  fallback: ReactNode
  /** A new value gives the part another chance. */
  resetOn?: unknown
  children: ReactNode
}

interface State {
  broken: boolean
  /** The value of `resetOn` that this state belongs to. */
  on: unknown
}

/** Keeps a bug in one part of the page from taking the rest down. A class, because React offers this to classes only. */
export class Boundary extends Component<Props, State> {
  override state: State = { broken: false, on: this.props.resetOn }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  static getDerivedStateFromProps({ resetOn }: Props, { on }: State) {
    return resetOn === on ? null : { broken: false, on: resetOn }
  }

  override render() {
    return this.state.broken ? this.props.fallback : this.props.children
  }
}
