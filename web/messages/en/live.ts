/** State of the live channel, shown to admins. */
export const live = {
  connected: 'WS: Connected',
  disconnected: 'WS: Disconnected',
  statuses: {
    disconnected: 'Disconnected',
    connecting: 'Connecting',
    connected: 'Connected',
    error: 'Error',
    reconnecting: 'Reconnecting',
    failed: 'Failed after five attempts',
  },
}
