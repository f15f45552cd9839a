/* Plans whose reports were read in this sitting without a name: whoever takes one later is told all of them again, so that their words on these do not count as blind. */
const KEY = "es-plan-seen", MOST = 500;

/** Ids of these plans. */
export const seen = () => { try { return new Set(JSON.parse(sessionStorage.getItem(KEY)) ?? []); } catch { return new Set(); } };
/** Reports on these plans have been shown. */
export function saw(...ids) {
  if (!ids.length) return;
  try { sessionStorage.setItem(KEY, JSON.stringify([...new Set([...seen(), ...ids])].slice(-MOST))); } catch { /* a strict frame */ }
}
/** How reports are asked for: shown to whoever reads without a name, else as far as they may be. */
export const reportsOf = ({ reading, token }) => (reading && !token ? "shown" : "blind");
