"""Writes jobs with their losses, renders and gradients, for test/engine/cpu/autodiff.test.ts and
test/gpu/: python3 test/support/autodiff.py > test/support/autodiff.jsonl

The forward pass follows the formulas, in float64, and PyTorch differentiates it. It has no tiles, no tile lists, no
undo and no adjoints. It needs torch (1.13.0 when the file was written).
"""

import json
import math
import random
import sys
from typing import NamedTuple

import torch

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)

WIDTH, HEIGHT = 18, 10

# Minimum distances from each threshold, with which float32 and float64 make the same decisions.
MARGINS = {"support": 5e-4, "stop": 1e-3, "ceiling": 1e-4}


class Blobs(NamedTuple):
    center: torch.Tensor
    covariance: torch.Tensor
    color: torch.Tensor
    opacity: torch.Tensor


class Decisions:
    """Counts and margins of the pixels' decisions."""

    def __init__(self):
        self.margins = dict.fromkeys(MARGINS, math.inf)
        self.counts = {"stopped": 0, "justStopped": 0, "ceiling": 0, "clamped": 0}

    def near(self, name, distances):
        if distances.numel():
            self.margins[name] = min(self.margins[name], distances.abs().min().item())

    def are_clear(self):
        return all(self.margins[name] > least for name, least in MARGINS.items())


def smoothstep(y):
    t = y.clamp(0, 1)
    return t**2 * (3 - 2 * t)


def covariance_of(variance_x, variance_y, correlation):
    covariance = correlation * (variance_x * variance_y).sqrt()
    rows = [torch.stack([variance_x, covariance], -1), torch.stack([covariance, variance_y], -1)]
    return torch.stack(rows, -2)


def decode_smoothstep(raw, config):
    scale = config["covarianceScale"]
    variance_x, variance_y = ((smoothstep(0.8 * p) + 0.005) * scale for p in raw[2:4])
    return Blobs(
        center=smoothstep(raw[0:2]).T,
        covariance=covariance_of(variance_x, variance_y, (smoothstep(0.6 * raw[4]) - 0.5) * 1.65),
        color=smoothstep(0.8 * raw[5:8]).T,
        opacity=smoothstep(0.9 * raw[8] + 0.1),
    )


def decode_direct(raw, config, width, height):
    """Pixels, logarithms of pixels, artanh, logit; each variance is 0.04 square pixels larger, and |rho| below 0.999."""
    in_pixels = covariance_of(raw[2].exp() ** 2 + 0.04, raw[3].exp() ** 2 + 0.04, 0.999 * torch.tanh(raw[4]))
    size = torch.tensor([width, height], dtype=torch.float64)
    return Blobs(
        center=raw[0:2].T / size,
        covariance=in_pixels / torch.outer(size, size),
        color=raw[5:8].T,
        opacity=torch.ones_like(raw[8]) if config["blend"] == "sum" else torch.sigmoid(raw[8]),
    )


def render(raw, config, width, height, decisions):
    """Returns the composited pixels, of shape (height * width, 3)."""
    if config["parameterization"] == "direct":
        blobs = decode_direct(raw, config, width, height)
    else:
        blobs = decode_smoothstep(raw, config)
    y, x = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
    uv = torch.stack([x.flatten() / width, y.flatten() / height], -1)

    offset = uv[None] - blobs.center[:, None]
    power = -0.5 * torch.einsum("npi,nij,npj->np", offset, torch.linalg.inv(blobs.covariance), offset)
    decisions.near("support", power + 8)
    alpha = blobs.opacity[:, None] * torch.where(power >= -8, power.exp(), torch.zeros_like(power))

    if config["blend"] == "sum":
        color, transmittance = alpha.T @ blobs.color, torch.ones(len(uv), 1)
    else:
        color, transmittance = blend_over(alpha, blobs.color, decisions)
    if config["background"] == "original":
        return color * (1 - transmittance) + transmittance
    return color + transmittance if config["background"] == "white" else color


def blend_over(alpha, colors, decisions):
    """Composites front to back, by index, while the transmittance before a blob is at least 1/255."""
    decisions.near("ceiling", alpha - 0.99)
    color, transmittance = torch.zeros(alpha.shape[1], 3), torch.ones(alpha.shape[1], 1)
    for blob_alpha, blob_color in zip(alpha[:, :, None], colors):
        takes = transmittance >= 1 / 255
        decisions.near("stop", 255 * transmittance - 1)
        stopped = ~takes & (blob_alpha > 0)
        decisions.counts["stopped"] += int(stopped.sum())
        decisions.counts["justStopped"] += int((stopped & (transmittance > 1 / 256)).sum())
        decisions.counts["ceiling"] += int((takes & (blob_alpha > 0.99)).sum())
        blob_alpha = torch.where(takes, blob_alpha.clamp(max=0.99), torch.zeros_like(blob_alpha))
        color = color + blob_alpha * blob_color * transmittance
        transmittance = transmittance * (1 - blob_alpha)
    return color, transmittance


def differentiate(parameters, config, target, width, height):
    """Returns loss, render and raw gradients; a smoothstep blob's gradient is clamped to 10 at each pixel, before the sum."""
    decisions = Decisions()
    raw = as_float32(parameters).requires_grad_()
    rendered = render(raw, config, width, height, decisions)
    losses = ((rendered - torch.tensor(target).reshape(-1, 3) / 255) ** 2).sum(1) / (width * height)
    (gradients,) = torch.autograd.grad(losses.sum(), raw, retain_graph=True)
    if config["parameterization"] == "smoothstep":
        by_pixel = torch.stack([torch.autograd.grad(loss, raw, retain_graph=True)[0] for loss in losses])
        decisions.counts["clamped"] = int((by_pixel.abs() > 10).sum())
        if decisions.counts["clamped"]:
            gradients = by_pixel.clamp(-10, 10).sum(0)
    return losses.sum().item(), rendered.detach(), gradients, decisions


def as_float32(parameters):
    """Rounds to float32, so that all readers of the file get the same numbers."""
    return torch.tensor(parameters, dtype=torch.float32).to(torch.float64).reshape(9, -1)


def draw_smoothstep(between, blobs, size, **ranges):
    """Returns field-major values, by default between 0 and 1."""
    names = ["center_x", "center_y", "variance_x", "variance_y", "correlation", "red", "green", "blue", "opacity"]
    return [[between(*ranges.get(name, ranges.get("all", (0, 1)))) for _ in range(blobs)] for name in names]


def draw_direct(between, blobs, size, opacity=(-2, 3), deviation=(1, 5)):
    """Returns blobs with some centres outside the image, some thinner than a pixel, strong tilts, colours of either sign."""

    def draw(blob):
        logs = [math.log(between(*deviation)), math.log(between(*deviation))]
        if blob % 4 == 1:
            logs[blob // 4 % 2] = math.log(between(0.05, 0.4))
        center = [between(-1.5, side + 0.5) for side in size]
        return center + logs + [between(-2.5, 2.5)] + [between(-0.6, 0.9) for _ in range(3)] + [between(*opacity)]

    return list(zip(*map(draw, range(blobs))))


def draw_target(between, width, height):
    """Returns colour waves with some noise, three bytes per pixel."""
    waves = [[between(0.2, 0.6), between(0.2, 0.6), between(0, 6)] for _ in range(3)]
    return [
        round(255 * (0.5 + 0.4 * math.sin(a * x + b * y + phase) + between(-0.1, 0.1)))
        for y in range(height)
        for x in range(width)
        for a, b, phase in waves
    ]


def make(name, config, blobs=24, size=(WIDTH, HEIGHT), needs={}, **drawing):
    """Prints the job of the first seed that keeps the margins and has enough decisions of each kind."""
    config = {"covarianceScale": 0.01, "gaussiansPerBlock": 64, **config, "blobs": blobs}
    width, height = size
    draw = draw_direct if config["parameterization"] == "direct" else draw_smoothstep
    for seed in range(1, 1000):
        generator = random.Random(seed)

        def between(low, high):
            return round(generator.uniform(low, high), 5)

        target = draw_target(between, width, height)
        parameters = [value for field in draw(between, blobs, size, **drawing) for value in field]
        loss, rendered, gradients, decisions = differentiate(parameters, config, target, width, height)
        is_shown = all(decisions.counts[decision] >= least for decision, least in needs.items())
        if decisions.are_clear() and is_shown and (decisions.counts["clamped"] > 0) == ("clamped" in needs):
            break
    else:
        raise SystemExit(f"{name}: no seed does.")
    margins = ", ".join(f"{key} {margin:.1e}" for key, margin in decisions.margins.items())
    print(f"{name}: seed {seed}; {decisions.counts}; margins: {margins}", file=sys.stderr)
    job = {
        "name": name,
        "config": {**config, "seed": seed},
        "width": width,
        "height": height,
        **decisions.counts,
        "target": target,
        "parameters": parameters,
        "loss": loss,
        "gradients": [float(f"{gradient:.12g}") for gradient in gradients.flatten().tolist()],
        "render": [round(value, 7) for value in rendered.flatten().tolist()],
    }
    print(json.dumps(job, separators=(",", ":")))


def model(parameterization, blend, background, **more):
    return {"parameterization": parameterization, "blend": blend, "background": background, **more}


blends = [("over", "original"), ("over", "white"), ("over", "black"), ("sum", "white"), ("sum", "black")]
for parameterization in ["smoothstep", "direct"]:
    for blend, background in blends:
        name = f"{parameterization} blobs, blend {blend}, {background} background"
        make(name, model(parameterization, blend, background))

for background in ["original", "white", "black"]:
    make(
        f"nearly opaque smoothstep blobs, where pixels reach the 1/255 stop, {background} background",
        model("smoothstep", "over", background, covarianceScale=0.06),
        opacity=(0.8, 0.95),
        variance_x=(0.3, 1),
        variance_y=(0.3, 1),
        needs={"stopped": 100, "justStopped": 1},
    )
make(
    "nearly opaque direct blobs, at the ceiling of alpha and the 1/255 stop",
    model("direct", "over", "white"),
    opacity=(4, 9),
    needs={"stopped": 100, "ceiling": 4},
)
make(
    "opaque smoothstep blobs, at the ceiling of alpha",
    model("smoothstep", "over", "original", covarianceScale=0.06),
    blobs=12,
    opacity=(0.96, 0.99),
    variance_x=(0.6, 1.2),
    variance_y=(0.6, 1.2),
    needs={"ceiling": 5},
)
make(
    "smoothstep blobs, some of whose parameters have left their range",
    model("smoothstep", "over", "original"),
    all=(-0.3, 1.6),
)
make("smoothstep blobs on a tall image", model("smoothstep", "over", "white"), size=(7, 19))
make("direct blobs on a tall image", model("direct", "over", "black"), size=(7, 19))
make(
    "small smoothstep blobs, whose gradients are clamped at a pixel",
    model("smoothstep", "over", "original", covarianceScale=2e-5),
    size=(2, 2),
    center_x=(0.495, 0.505),
    center_y=(0.495, 0.505),
    needs={"clamped": 6},
)
make(
    "a sum of smoothstep blobs, whose gradients are clamped at a pixel",
    model("smoothstep", "sum", "white", covarianceScale=0.02),
    size=(3, 2),
    center_x=(0.35, 0.55),
    center_y=(0.4, 0.6),
    red=(0.7, 1.2),
    opacity=(0.8, 1),
    needs={"clamped": 20},
)
make(
    "a list longer than GAUSSIANS_PER_BLOCK, of faint smoothstep blobs",
    model("smoothstep", "over", "white", covarianceScale=0.05, gaussiansPerBlock=32),
    blobs=80,
    opacity=(-0.1, 0.05),
    variance_x=(0.6, 1.2),
    variance_y=(0.6, 1.2),
)
make(
    "a list longer than GAUSSIANS_PER_BLOCK, of direct blobs, where pixels reach the 1/255 stop on the way",
    model("direct", "over", "black", gaussiansPerBlock=32),
    blobs=80,
    opacity=(-1.5, 1),
    deviation=(2, 6),
    needs={"stopped": 500},
)
