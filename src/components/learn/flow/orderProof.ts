import { ShaderError, type ShaderMessage } from "../../../engine/gpu/shaders.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { pageGpu } from "../../../host/pageGpu.js";
import { element, setText } from "../../element.js";
import { libraryOf, orderBindings, orderedKernel, orderFile, stageOrders } from "./orderModel.js";

/** Compiles a kernel that calls the stages in an order of the reader's choice, and shows what the compiler says. */
export function orderProof(engine: BrowserEngine): HTMLElement {
  const choice = element(
    "select",
    { onchange: () => show([]) },
    ...stageOrders.map(({ name }, at) => element("option", { value: at, selected: at === 2 }, name)),
  );
  const code = element("code");
  const verdict = element("p", { class: "token-verdict", role: "status" });
  const chosen = () => stageOrders[Number(choice.value)];
  const untried =
    engine.kind === "cpu"
      ? "This page has no GPU, so nothing can be compiled here. A browser with WebGPU has the compiler in it."
      : "Not compiled yet.";
  const show = (messages: ShaderMessage[], state = "", words = untried) => {
    const lines = orderedKernel(chosen()).trimEnd().split("\n");
    code.replaceChildren(
      ...lines.map((text, at) => {
        const isWrong = messages.some(({ file, line }) => file === orderFile && line === at + 1);
        return element("span", { class: `code-line${isWrong ? " wrong-line" : ""}` }, text);
      }),
    );
    verdict.dataset.state = state;
    setText(verdict, words);
  };
  const compile = async () => {
    const order = chosen();
    const gpu = await pageGpu(engine);
    if (!gpu) return show([]);
    try {
      await gpu.kernel(orderFile, orderBindings, { GAUSSIANS_PER_BLOCK: 64 }, libraryOf(engine.shaders, order));
      if (order === chosen()) show([], "compiled", "It compiles: each stage is given what the one before it returns.");
    } catch (error) {
      if (order !== chosen()) return;
      const messages = error instanceof ShaderError ? error.messages : [];
      const told = messages.map(({ line, text }) => `Line ${line}: ${text}`).join("\n");
      show(messages, "refused", `The compiler on your machine refuses it. ${told || (error as Error).message}`);
    }
  };
  const button = element(
    "button",
    { type: "button", disabled: engine.kind === "cpu", onclick: () => void compile() },
    "Compile it on this machine",
  );
  show([]);
  return element(
    "div",
    { class: "token-proof" },
    element("div", { class: "learn-controls" }, element("label", {}, "Order of the stages", choice), button),
    element("pre", { class: "token-text", tabindex: 0, "aria-label": "WGSL of the kernel" }, code),
    verdict,
  );
}
