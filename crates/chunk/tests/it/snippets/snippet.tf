terraform {
  required_version = ">= 1.5"
}

# The region.
variable "region" {
  type    = string
  default = "eu-west-1"
}

locals {
  name = "shop-${var.region}"
  tags = merge(var.tags, { Name = local.name })
}

module "network" {
  source = "./modules/network"
  cidr   = var.cidr
}

resource "aws_instance" "web" {
  ami   = data.aws_ami.ubuntu.id
  count = length(var.zones)

  dynamic "block" {
    for_each = var.blocks
    content {
      name = block.value
    }
  }
}

data "aws_ami" "ubuntu" {
  owners = ["amazon"]
}

output "address" {
  value = aws_instance.web.address
}
