/* The square on the parents' page: it opened this page, or is photographed here where the browser can read it. */
import { $ } from "./dom.js";
import { t } from "./words.js";

const CODE = /[#&?]code=(\d{6})\b/;

/** Fill in the code this page was opened with, and let nobody find it in the history. */
export function codeOfAddress() {
  const found = CODE.exec(location.hash);
  if (!location.hash) return;
  history.replaceState(null, "", location.pathname);
  if (found) $("pair-code").value = found[1];
}

/** Offer to photograph the square where squares can be read. */
export async function offerSquare() {
  if (!window.BarcodeDetector || !(await BarcodeDetector.getSupportedFormats()).includes("qr_code")) return;
  $("pair-scan").hidden = false;
  $("pair-square").addEventListener("change", async ({ target }) => {
    const code = target.files.length ? await codeIn(target.files[0]) : "";
    target.value = "";
    $("pair-fault").textContent = code ? "" : t("pair_no_square");
    if (code) $("pair-code").value = code;
    $("pair-code").focus();
  });
}

async function codeIn(file) {
  try {
    const image = await createImageBitmap(file);
    const squares = await new BarcodeDetector({ formats: ["qr_code"] }).detect(image);
    return squares.map((one) => CODE.exec(one.rawValue)).filter(Boolean).map((one) => one[1])[0] || "";
  } catch { return ""; }
}
