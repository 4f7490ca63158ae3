/**
 * Stub for TypeBox in the build of the app: the contract describes requests and replies with schemas, which only the
 * server evaluates. See docs/decisions/0028-schemas-stay-out-of-the-web-build.md.
 */
/* @__NO_SIDE_EFFECTS__ */
const none = (): void => {}

export {
  none as Array,
  none as Boolean,
  none as Integer,
  none as Literal,
  none as Null,
  none as Number,
  none as Object,
  none as Optional,
  none as String,
  none as Union,
}
