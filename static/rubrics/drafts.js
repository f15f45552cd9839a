/* What is typed or chosen beside a verdict and not cast with it yet; kept in the tab's storage, so that a reload loses nothing. */
const KEY = "es-rubric-drafts", MOST = 200;

function kept() {
  try { return new Map(JSON.parse(sessionStorage.getItem(KEY)) ?? []); } catch { return new Map(); }
}

export class Drafts {
  constructor() { this.all = kept(); }

  /** What is typed on an entry whose vote stands as `shown` (or null): {note, confidence, error}. */
  of(entry, shown) {
    const { note = shown?.note ?? "", confidence = shown?.confidence ?? null, error = shown?.error ?? null } = this.all.get(entry) ?? {};
    return { note: String(note), confidence, error };
  }

  /** Whether an entry's vote would be another one with what is typed. */
  differs(entry, shown) {
    const draft = this.of(entry, shown);
    return draft.note !== shown.note || draft.confidence !== shown.confidence || (shown.verdict === "not_met" && draft.error !== shown.error);
  }

  put(entry, draft) {
    this.all.delete(entry);
    this.all.set(entry, draft);
    if (this.all.size > MOST) this.all.delete(this.all.keys().next().value);
    this.#keep();
  }

  drop(entry) { if (this.all.delete(entry)) this.#keep(); }

  #keep() {
    try { sessionStorage.setItem(KEY, JSON.stringify([...this.all])); } catch { /* a strict frame */ }
  }
}
